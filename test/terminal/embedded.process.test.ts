import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from '../harness/service.ts';
import { folderWith, runProgram } from './program.ts';

/*
 * Versions that exist, of which the embedded catalog has the name alone, or that its sample does not name: none of them
 * is an error. One that was never published is, where the list is whole.
 */
const files = {
  'pom.xml': `<project>
    <groupId>shop</groupId><artifactId>shop</artifactId><version>1</version>
    <dependencyManagement><dependencies>
      <dependency><groupId>io.netty</groupId><artifactId>netty-bom</artifactId><version>4.1.100.Final</version><type>pom</type><scope>import</scope></dependency>
      <dependency><groupId>org.junit</groupId><artifactId>junit-bom</artifactId><version>5.9.3</version><type>pom</type><scope>import</scope></dependency>
      <dependency><groupId>org.springframework</groupId><artifactId>spring-framework-bom</artifactId><version>5.3.27</version><type>pom</type><scope>import</scope></dependency>
    </dependencies></dependencyManagement>
  </project>`,
  'build.gradle': `dependencies { implementation platform('org.jetbrains.kotlin:kotlin-bom:1.9.10') }`,
  'package.json': '{ "dependencies": { "react": "19.3.0-canary-fd524fe0-20251121" } }',
  'requirements.txt': 'requests==2.32.3\n',
  'app.csproj': '<Project><ItemGroup><PackageReference Include="Serilog" Version="2.12.0" /></ItemGroup></Project>',
  'go.mod': 'module example.com/shop\n\ngo 1.22\n\nrequire github.com/gin-gonic/gin v1.6.1\n',
  'wrong/requirements.txt': 'requests==2.99.0\n',
};

test('no version that exists is said not to, over the embedded catalog', async (context) => {
  const service = await startService();
  const folder = folderWith(files);
  context.after(async () => {
    await service.close();
    folder.remove();
  });
  const environment = { PACKAGE_INSIGHTS_BASE_URL: service.url };
  const { out, error } = await runProgram(['check', '--format', 'json'], folder.path, environment);
  const report: { findings: { code: string; path: string }[] } = JSON.parse(out);
  assert.deepEqual(
    report.findings.filter((it) => it.code === 'no-match').map((it) => it.path),
    ['wrong/requirements.txt'],
    error,
  );
});
