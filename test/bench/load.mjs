/** Loads a peer from the packages beside this file. */
export const load = (name) => import(name);
