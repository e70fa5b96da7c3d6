// @ts-check
import { existsSync } from 'node:fs';

/* Usual paths of Chromium. */
const paths = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Path of the installed Chromium; undefined without one. */
export const browserPath = paths.find((path) => existsSync(path));

/** Starts Chromium without a window and without its background requests. */
export async function openBrowser() {
  const { chromium } = await import('playwright-core');
  const args = [
    '--no-sandbox',
    '--disable-gpu',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ];
  return chromium.launch({ executablePath: browserPath ?? '', args });
}
