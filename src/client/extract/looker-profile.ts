/**
 * Looker, API 4.0, as a profile without its address. Lists answer with bare arrays; those of dashboards, folders, boards,
 * roles, projects and connections come whole, the others by offset with an `X-Total-Count`. `GET /dashboards` has LookML
 * dashboards too, whose ids hold `::`, which its search leaves out; elements and filters need a request per dashboard.
 */
const page = { kind: 'offset' } as const
const byId = { param: 'sorts', value: 'id' } as const
const total = { header: 'X-Total-Count' } as const

export const lookerProfile = {
  name: 'looker',
  // Its secret is `CLIENT_ID:CLIENT_SECRET`; a token lives an hour.
  auth: { kind: 'login', path: '/login', scheme: 'token' },
  types: [
    { name: 'users', path: '/users', paginator: page, sort: byId, total },
    { name: 'groups', path: '/groups', paginator: page, sort: byId, total },
    { name: 'roles', path: '/roles' },
    { name: 'folders', path: '/folders' },
    { name: 'boards', path: '/boards' },
    { name: 'looks', path: '/looks/search', paginator: page, sort: byId, total },
    { name: 'dashboards', path: '/dashboards', detail: { path: '/dashboards/{id}' } },
    { name: 'lookml_models', path: '/lookml_models', id: 'name', paginator: page, total },
    { name: 'projects', path: '/projects' },
    { name: 'connections', path: '/connections', id: 'name' },
    // Without it, only those of the caller.
    { name: 'scheduled_plans', path: '/scheduled_plans', params: { all_users: 'true' } },
  ],
} as const
