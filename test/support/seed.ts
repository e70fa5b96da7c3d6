import fc from 'fast-check';

/*
 * Properties look at other values in each run, so that in time they see many. In CI they look at the same ones every time: there a
 * failure is to tell of the change that was made.
 */
if (process.env['CI']) fc.configureGlobal({ seed: 20_261_121 });
