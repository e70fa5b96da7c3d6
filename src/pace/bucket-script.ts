import limit from './bucket-limit.lua?raw';
import permits from './bucket-permits.lua?raw';
import state from './bucket-state.lua?raw';

/** The script of the shared bucket, which Redis runs as one. */
export const bucketScript = [state, limit, permits].join('\n');
