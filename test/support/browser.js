// @ts-check
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

/* Where systems put it. */
const paths = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Path of the system's Chromium; undefined where none is installed. */
export const browserPath = paths.find((path) => existsSync(path));

/**
 * Starts the system's Chromium without a window, and without anything that it does in the network
 * by itself.
 */
export function openBrowser() {
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
