import { describe, expect, it } from 'vitest';
import { ServerClock } from '../../src/pace/server-clock.ts';

describe('ServerClock', () => {
  it('trusts the shortest round trip', () => {
    const clock = new ServerClock();
    clock.record(100, 120, 5_115);
    clock.record(200, 201, 5_200.5);
    clock.record(300, 340, 5_335);
    expect(clock.toServer(400)).toBe(5_400);
    expect(clock.toLocal(5_400)).toBe(400);
    expect(clock.roundTripMs).toBe(1);
  });

  it('follows the clock of the server when it is set', () => {
    const clock = new ServerClock();
    clock.record(0, 2, 5_001);
    clock.record(10, 12, 9_011);
    expect(clock.toServer(20)).toBe(9_020);
  });
});
