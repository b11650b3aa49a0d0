import { builds } from './gradle-lab.ts';

/*
 * Blocks that give the artifacts of groups a version, as builds define them for their platforms, and platform projects that the
 * code of a build binds for all projects.
 */

const platform = 'platform/build.gradle';

const groups = `bom {
  library("One", "1.0") {
    group("g.one") {
      modules = [
        "a",
        "b" {
          exclude group: "g.x", module: "x"
        },
        "c"
      ]
      plugins = [
        "one-maven-plugin"
      ]
    }
    group("g.other") {
      modules = ["d"]
    }
    links {
      site("https://one.example")
    }
  }
  library("Two", "\${twoVersion}") {
    prohibit {
      contains "-M"
      because "we want releases"
    }
    group("g.two") {
      bom("two-bom") {
        permit("g.three:e")
      }
    }
  }
  library("Three") {
    version("3.0")
    group("g.three") {
      imports = ["three-bom"]
    }
  }
  library("Four", "4.0") {
    alignWith { version { from "g.two:two-bom" } }
    group(name) { modules = ["f"] }
  }
}
`;

builds('a platform whose blocks give groups a version', {
  'app/build.gradle': `dependencies {
  implementation platform(project(':platform'))
  implementation 'g.one:a'     // → g.one:a 1.0 ${platform}
  implementation 'g.one:b'     // → g.one:b 1.0 ${platform}
  implementation 'g.one:c'     // → g.one:c 1.0 ${platform}
  implementation 'g.other:d'   // → g.other:d 1.0 ${platform}
  implementation 'g.two:x'     // → g.two:x g.two:two-bom:2.0
  implementation 'g.none:x'    // → g.none:x g.two:two-bom:2.0
}
`,
  'gradle.properties': 'twoVersion=2.0\n',
  'settings.gradle': '',
  [platform]: groups,
});

builds('the file of a platform whose blocks give groups a version', {
  'platform/build.gradle': `${groups}
// → g.one:a 1.0 ${platform}
// → g.one:b 1.0 ${platform}
// → g.one:c 1.0 ${platform}
// → g.other:d 1.0 ${platform}
// → g.two:two-bom 2.0 gradle.properties
// → g.three:three-bom 3.0 ${platform}
`,
  'gradle.properties': 'twoVersion=2.0\n',
  'settings.gradle': '',
});

const bound = {
  'settings.gradle': '',
  'buildSrc/build.gradle': 'plugins { id "java-gradle-plugin" }\n',
  'inner/build.gradle': `bom { library("In", "5.0") { group("g.in") { modules = ["a", "b"] } } }
dependencies { api(enforcedPlatform(project(":platform"))) }
`,
  [platform]: 'bom { library("Out", "6.0") { group("g.out") { modules = ["a"] } } }\n',
};
const java = (...paths: readonly string[]) => `package acme;
class JavaConventions {
  void configure(Project project) {
${paths.map((it) => `    Dependency d = project.getDependencies().enforcedPlatform(project.getDependencies().project(Collections.singletonMap("path", "${it}")));`).join('\n')}
  }
}
`;

builds('a platform project that the code of plugins binds', {
  'app/build.gradle': `dependencies {
  implementation 'g.in:a'     // → g.in:a 5.0 inner/build.gradle
  implementation 'g.in:b:7.0' // → g.in:b 7.0 app/build.gradle
  implementation 'g.out:a'    // → g.out:a 6.0 ${platform}
  implementation 'g.none:a'   // → g.none:a no platform, constraint or plugin of this build gives it a version
}
`,
  ...bound,
  'buildSrc/src/main/java/acme/JavaConventions.java': java(':inner'),
});

builds('two platform projects that the code of plugins binds, which differ', {
  'app/build.gradle': `dependencies {
  implementation 'g.in:a'     // → g.in:a no platform, constraint or plugin of this build gives it a version
  implementation 'g.in:b'     // → g.in:b 5.0 inner/build.gradle
}
`,
  ...bound,
  [platform]: 'bom { library("In", "5.1") { group("g.in") { modules = ["a"] } } }\n',
  'inner/build.gradle': 'bom { library("In", "5.0") { group("g.in") { modules = ["a", "b"] } } }\n',
  'buildSrc/src/main/java/acme/JavaConventions.java': java(':inner', ':platform'),
});
