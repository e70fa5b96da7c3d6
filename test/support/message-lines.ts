/**
 * Checks that each JSON line of standard error is a message, the summary or an error.
 * @throws an error that shows the line
 */
export function checkMessages(stderr: string): void {
  const forms = ['level,text', 'summary', 'error'];
  for (const line of stderr.split('\n').filter((text) => text.startsWith('{"')))
    if (!forms.includes(Object.keys(JSON.parse(line)).join()))
      throw new Error(`this line is neither a message nor a summary nor an error: ${line}`);
}
