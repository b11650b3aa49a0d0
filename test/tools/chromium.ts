import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import { type Browser, chromium } from 'playwright-core';
import downloads from './downloads.json' with { type: 'json' };
import { downloadsFolder, unpacked, untar } from './downloads.ts';
import { root } from './paths.ts';
import { madeOnce } from './scratch.ts';

/**
 * Starts a headless browser: on Linux x64 the one in node_modules, which needs no system libraries, elsewhere an
 * installed one.
 */
export async function launchBrowser(): Promise<Browser> {
  if (process.platform === 'linux' && process.arch === 'x64') {
    const folder = await carriedChromium();
    const fonts = await fontsConfiguration(folder);
    return chromium.launch({
      executablePath: join(folder, 'chromium'),
      args: ['--no-sandbox', '--no-zygote', '--disable-gpu', '--font-render-hinting=none'],
      env: {
        ...process.env,
        LD_LIBRARY_PATH: [join(folder, 'lib'), ...(process.env.LD_LIBRARY_PATH?.split(':') ?? [])].join(':'),
        FONTCONFIG_FILE: fonts,
      },
    });
  }
  const installed = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((it) => existsSync(it));
  return installed === undefined
    ? chromium.launch({ channel: 'chrome' })
    : chromium.launch({ executablePath: installed });
}

/** Unpacks the browser and the libraries that a bare Debian lacks. */
async function carriedChromium(): Promise<string> {
  const packageFolder = join(root, 'node_modules', '@sparticuz', 'chromium');
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'));
  return madeOnce(join(downloadsFolder, `chromium@${version}`), async (folder) => {
    console.error('Unpacking the browser (once).');
    await inflate(join(packageFolder, 'bin', 'chromium.br'), join(folder, 'chromium'));
    // libnss3 and its dependencies are in lib/, the software renderer is beside the browser.
    for (const name of ['al2023', 'fonts', 'swiftshader']) {
      const archive = join(folder, `${name}.tar`);
      await inflate(join(packageFolder, 'bin', `${name}.tar.br`), archive);
      await untar(archive, folder);
      rmSync(archive);
    }
  });
}

async function inflate(from: string, to: string): Promise<void> {
  await pipeline(createReadStream(from), createBrotliDecompress(), createWriteStream(to, { mode: 0o755 }));
}

/** The same fonts on every machine, so that columns and pictures are the same. */
async function fontsConfiguration(browserFolder: string): Promise<string> {
  const monospace = await unpacked(downloads.fonts, 'ttf');
  const path = join(downloadsFolder, 'fonts.conf');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(
    path,
    `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${monospace}</dir>
  <dir>${join(browserFolder, 'fonts')}</dir>
  <cachedir>${join(downloadsFolder, 'fonts-cache')}</cachedir>
  <alias><family>monospace</family><prefer><family>DejaVu Sans Mono</family></prefer></alias>
  <alias><family>sans-serif</family><prefer><family>DejaVu Sans</family></prefer></alias>
</fontconfig>
`,
  );
  return path;
}
