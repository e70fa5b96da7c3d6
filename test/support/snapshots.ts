import { expect } from 'vitest';

/* A folder of `newFolder` has another name in every run. */
const folder = /(?:[A-Z]:)?[^\s"'`=:]*carbon-test-\w{6}/g;

// Snapshots show such a folder as <folder>, so that `vitest -u` writes no name of one run.
expect.addSnapshotSerializer({
  test: (value: unknown) => typeof value === 'string' && value.search(folder) >= 0,
  serialize: (value: string, config, indentation, depth, refs, print) =>
    print(value.replaceAll(folder, '<folder>'), config, indentation, depth, refs),
});
