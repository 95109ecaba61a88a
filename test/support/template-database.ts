/** Migrated once per test run; nothing connects to it. */
export const templateDatabase = 'record_linker_template'
