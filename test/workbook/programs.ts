/* The programs that read and write workbooks besides carbon: openpyxl and LibreOffice. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { newFolder } from '../support/run.ts';

/* The Debian package belongs to Debian's Python. */
const python = ['/usr/bin/python3', 'python3'].find(
  (command) => spawnSync(command, ['-c', 'import openpyxl']).status === 0,
);
const office = ['soffice', 'libreoffice'].find(
  (command) => spawnSync(command, ['--version']).status === 0,
);

/** Whether openpyxl is not installed. */
export const noOpenpyxl = python === undefined;

/** Whether LibreOffice is not installed. */
export const noOffice = office === undefined;

/** Runs a Python script that prints JSON. */
export function runPython(script: string, ...argv: readonly string[]): unknown {
  const output = execFileSync(python ?? '', ['-c', script, ...argv], { encoding: 'utf8' });
  return JSON.parse(output || 'null');
}

/** Opens a workbook in LibreOffice and saves it. */
export function saveInOffice(path: string): string {
  const output = newFolder();
  const profile = pathToFileURL(newFolder());
  const options = ['--headless', '--norestore', `-env:UserInstallation=${profile}`];
  const conversion = ['--convert-to', 'xlsx:Calc MS Excel 2007 XML', '--outdir', output, path];
  execFileSync(office ?? '', [...options, ...conversion], { stdio: 'ignore' });
  return join(output, readdirSync(output)[0] ?? '');
}
