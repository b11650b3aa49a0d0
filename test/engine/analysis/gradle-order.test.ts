import { builds } from './script-lab.ts';

// Gradle 4.4.1 declares these versions.
builds('a value that is set again counts from there on', {
  'build.gradle': `def v = '1.0'
ext.w = '1.0'
def same = "$v"
dependencies {
  compile "g:a:$v"       // → g:a 1.0 build.gradle
  compile 'g:b:' + w     // → g:b 1.0 build.gradle
}
v = '2.0'
ext.w = '2.0'
dependencies {
  compile "g:c:$v"       // → g:c 2.0 build.gradle
  compile "g:d:\${w}"    // → g:d 2.0 build.gradle
  compile "g:e:$same"    // → g:e 1.0 build.gradle
  compile group: 'g', name: 'f', version: v // → g:f 2.0 build.gradle
}
v = v + '.1'
dependencies {
  compile "g:g:$v"       // → g:g 2.0.1 composed
}
`,
});

builds('the last value of a property is that of other scripts', {
  'app/build.gradle': `dependencies {
  compile "g:a:$v" // → g:a 2.0 build.gradle
}
`,
  'build.gradle': `ext.v = '1.0'
dependencies {
  compile "g:b:$v"
}
v = '2.0'
`,
});

builds('entries and artifacts that are set again', {
  'build.gradle': `def versions = [a: '1.0', b: '1.1']
def lib = "g:x:1.0"            // → g:x 1.0 build.gradle
dependencies {
  compile "g:a:\${versions.a}" // → g:a 1.0 build.gradle
  compile lib                  // → g:x 1.0 build.gradle
}
versions.a = '2.0'
lib = 'g:y:2.0'                // → g:y 2.0 build.gradle
dependencies {
  compile "g:b:\${versions.a}" // → g:b 2.0 build.gradle
  compile "g:c:\${versions.b}" // → g:c 1.1 build.gradle
  compile lib                  // → g:y 2.0 build.gradle
}
`,
});

builds('lists that are set again', {
  'build.gradle': `def all = ['g:a:1.0'] // → g:a 1.0 build.gradle
all << 'g:b:1.0'  // → g:b 1.0 build.gradle
dependencies { compile all }
all = ['g:c:1.0'] // → g:c 1.0 build.gradle
dependencies { compile all }
`,
});

builds('a value under a condition counts behind it', {
  'build.gradle': `def v = '1.0'
dependencies { compile "g:a:$v" } // → g:a 1.0 build.gradle
if (old) {
  v = '2.0'
  dependencies { compile "g:b:$v" } // → g:b 2.0 build.gradle when old
} else {
  v = '3.0'
}
// → g:c 1.0 build.gradle
// → g:c 2.0 build.gradle when old
// → g:c 3.0 build.gradle when !(old)
dependencies { compile "g:c:$v" }
v = '4.0'
dependencies { compile "g:d:$v" } // → g:d 4.0 build.gradle
`,
});

builds('what runs later has the last value', {
  'build.gradle': `ext.v = '1.0'
afterEvaluate {
  dependencies { compile "g:a:$v" } // → g:a 2.0 build.gradle
}
configurations.all {
  resolutionStrategy.eachDependency { it.useTarget "g:b:$v" } // → g:b 2.0 build.gradle
}
v = '2.0'
`,
});

builds('a variable of a block hides one outside of it, there alone', {
  'build.gradle': `def v = '1.0'
subprojects {
  def v2 = '3.0'
  dependencies { compile "g:a:$v2" } // → g:a 3.0 build.gradle
}
project(':x') {
  def v2 = '4.0'
  dependencies { compile "g:b:$v2" } // → g:b 4.0 build.gradle
}
dependencies { compile "g:c:$v" } // → g:c 1.0 build.gradle
`,
});

builds('what the class path of a build has is set before all others', {
  'build.gradle': `buildscript {
  ext.v = '1.0'
  dependencies { classpath "g:a:$v" } // → g:a 1.0 build.gradle
}
ext.v = '2.0'
dependencies { compile "g:b:$v" } // → g:b 2.0 build.gradle
`,
});

builds('the branches of a switch', {
  'build.gradle': `def v = '1.0'
switch (kind) {
  case 'a':
    v = '2.0'
    break
  case 'b':
  case ['c', 'd']:
    v = '3.0'
    break
  default:
    v = '4.0'
    dependencies { compile 'g:b:5.0' } // → g:b 5.0 build.gradle when !(kind == 'a') and !(kind == 'b') and !(kind == ['c', 'd'])
}
// → g:a 1.0 build.gradle
// → g:a 2.0 build.gradle when kind == 'a'
// → g:a 3.0 build.gradle when kind == 'b' or kind == ['c', 'd']
// → g:a 4.0 build.gradle when !(kind == 'a') and !(kind == 'b') and !(kind == ['c', 'd'])
dependencies { compile "g:a:$v" }
`,
});

builds('the branches of a when', {
  'build.gradle.kts': `var v = "1.0"
when (kind) {
  "a" -> v = "2.0"
  in others -> {
    v = "3.0"
  }
  else -> dependencies { implementation("g:b:5.0") } // → g:b 5.0 build.gradle.kts when !(kind == "a") and !(kind in others)
}
dependencies {
  // → g:a 1.0 build.gradle.kts
  // → g:a 2.0 build.gradle.kts when kind == "a"
  // → g:a 3.0 build.gradle.kts when kind in others
  implementation("g:a:$v")
  when {
    old -> implementation("g:c:1.0") // → g:c 1.0 build.gradle.kts when old
    else -> implementation("g:c:2.0") // → g:c 2.0 build.gradle.kts when !(old)
  }
}
`,
});

builds('sums', {
  'build.gradle': `def v = '1.0'
def n = 1 + 2
def sum = v + '.1'
dependencies {
  compile 'g:a:' + (v + '.2')     // → g:a 1.0.2 composed
  compile "g:b:\${v + '.3'}"      // → g:b 1.0.3 composed
  compile group: 'g', name: 'c', version: sum // → g:c 1.0.1 composed
  compile "g:d:\${n}.0"           // → g:d 3.0 composed
  compile "g:e:\${n + 1}.0"       // → g:e unresolved
}
`,
});
