import type { SourceRecord } from './record-shapes.ts'

/** Short lists that never change and always come whole, by their path. */
export const lastingLists: Readonly<Record<string, readonly SourceRecord[]>> = {
  '/roles': ['Admin', 'Developer', 'User', 'Viewer'].map((name, index) => ({
    id: String(index + 1),
    name,
    permission_set: { id: String(index + 1), name },
  })),
  '/boards': ['Start here', 'Finance', 'Logistics'].map((title, index) => ({
    id: String(index + 1),
    title,
    description: null,
  })),
  '/projects': [
    { id: 'project_1', name: 'project_1', uses_git: true },
    { id: 'project_2', name: 'project_2', uses_git: false },
  ],
  '/connections': [
    { name: 'warehouse', dialect_name: 'postgres', host: 'db.example.org' },
    { name: 'archive', dialect_name: 'mysql', host: 'archive.example.org' },
  ],
  '/scheduled_plans': ['Monday mail', 'Month end'].map((name, index) => ({
    id: String(index + 1),
    name,
    enabled: true,
    crontab: '0 6 * * 1',
  })),
}
