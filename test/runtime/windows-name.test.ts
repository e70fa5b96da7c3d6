import { describe, expect, it } from 'vitest';
import { checkFileName } from '../../src/runtime/file-errors.ts';

function messageOf(path: string, platform: NodeJS.Platform = 'win32'): string {
  try {
    checkFileName(path, '--out', platform);
    return 'accepted';
  } catch (error) {
    return (error as Error).message;
  }
}

describe('checkFileName', () => {
  it.each([
    ['nul', 'NUL'],
    ['con.csv', 'CON'],
    ['C:\\data\\Aux.xlsx', 'AUX'],
    ['C:/data/com1.tar.gz', 'COM1'],
    ['lpt³', 'LPT³'],
    ['prn .html', 'PRN'],
    ['\\\\server\\share\\CONOUT$', 'CONOUT$'],
  ])('refuses the device name in %s on Windows', (path, name) => {
    expect(messageOf(path)).toBe(
      `--out: ${path} is not a file: Windows reserves the name ${name} for a device`,
    );
  });

  it.each([
    ['report.html:hidden', ':'],
    ['what?.html', '?'],
    ['C:\\a|b.csv', '|'],
  ])('refuses a sign that file names cannot contain on Windows: %s', (path, sign) => {
    expect(messageOf(path)).toBe(
      `--out: ${path} is not a file name on Windows, because it contains ${sign}`,
    );
  });

  it.each(['report.', 'report.html '])('refuses %j, whose end Windows removes', (path) => {
    expect(messageOf(path)).toBe(
      `--out: ${path} ends with a period or a blank, which Windows removes`,
    );
  });

  it.each([
    'console.csv',
    'com.csv',
    'com10.csv',
    'null',
    '.',
    '..',
    'C:\\My Files\\Zulieferer (neu).csv',
    'C:report.html',
    '\\\\server\\share\\report.html',
    '\\\\?\\C:\\data\\report.html',
  ])('accepts %s on Windows', (path) => {
    expect(messageOf(path)).toBe('accepted');
  });

  it('accepts every name on other systems', () => {
    expect(messageOf('nul', 'linux')).toBe('accepted');
  });
});
