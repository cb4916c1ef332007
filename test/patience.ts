/**
 * How many milliseconds a test may take on a busy machine. The configuration of the suite allows them to all; a test that
 * takes half a second on a quiet one asks for them itself, since it may be run without that.
 */
export const patience = 300_000;
export const patient = { timeout: patience };
