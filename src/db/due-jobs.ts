import { type RawBuilder, sql } from 'kysely'
import { hostGroup, type HostGrouping } from '../core/download/host-group.ts'
import type { Db } from './connect.ts'

export interface DueWish {
  readonly queue: string
  /** Hosts with their groups, as `groupedHosts` tells; null: each host is a group of its own. */
  readonly groups: readonly GroupedHost[] | null
  /** Jobs of one group at most; may use `b.lanes`, the claims that have jobs of it (null: none). */
  readonly share: RawBuilder<number>
  readonly limit: number
}

export interface GroupedHost {
  readonly host: string
  readonly group: string
}

/**
 * Jobs that are due, as the parts of a WITH RECURSIVE that ends in `best (id, priority, turn)`: the highest priority
 * first, among equals one of each group in turn, and in a group one of each of its hosts.
 */
export function dueJobs({ queue, groups, share, limit }: DueWish): RawBuilder<unknown> {
  return sql`${groups === null ? everyHost(queue) : givenHosts(queue, groups)},
    due as (
      select one.id, one.priority, h.host_group, one.nth, coalesce(b.lanes, 0) as lanes, one.share
      from hosts h
      left join busy b on b.host_group = h.host_group
      cross join lateral (
        select due.id, due.priority, ${share} as share, row_number() over (order by due.priority desc, due.id) as nth
        from (
          select j.id, j.priority from jobs j
          where j.queue = ${queue}::text and j.state = 'queued' and j.host = h.host
            and (j.next_attempt_at is null or j.next_attempt_at <= clock_timestamp())
          order by j.priority desc, j.id
          limit ${share}
        ) as due
      ) as one
      where h.host is not null
    ),
    best as (
      select id, priority, ${groups === null ? sql`nth` : sql`nth_of_group`} + lanes as turn
      from ${groups === null ? sql`due` : turnsOfGroups}
      order by priority desc, turn, id
      limit ${limit}::integer
    )`
}

/** The group of each host that has jobs which wait or are on their way. @returns null: hosts are not grouped */
export async function groupedHosts(
  db: Db,
  queue: string,
  grouping: HostGrouping,
): Promise<readonly GroupedHost[] | null> {
  if (grouping === 'host') return null
  const { rows } = await sql<{ host: string }>`
    with recursive ${queuedHosts(queue)}
    select host from hosts where host is not null
    union
    select host from jobs where queue = ${queue}::text and state = 'in_progress'`.execute(db)
  return rows.map(({ host }) => ({ host, group: hostGroup(host, grouping) }))
}

/** A recursive skip scan: distinct hosts by the index, whatever the number of jobs. */
function queuedHosts(queue: string): RawBuilder<unknown> {
  return sql`
    hosts as (
      (select host, host as host_group from jobs where queue = ${queue}::text and state = 'queued'
        order by host limit 1)
      union all
      select next.host, next.host
      from hosts h
      cross join lateral (
        select j.host from jobs j
        where j.queue = ${queue}::text and j.state = 'queued' and j.host > h.host order by j.host limit 1) as next
    )`
}

function everyHost(queue: string): RawBuilder<unknown> {
  return sql`${queuedHosts(queue)},
    busy as (
      select host as host_group, count(distinct claim)::integer as lanes from jobs
      where queue = ${queue}::text and state = 'in_progress' group by host
    )`
}

function givenHosts(queue: string, groups: readonly GroupedHost[]): RawBuilder<unknown> {
  return sql`
    hosts as (
      select * from unnest(
        ${groups.map(({ host }) => host)}::text[],
        ${groups.map(({ group }) => group)}::text[]
      ) as given (host, host_group)
    ),
    busy as (
      select h.host_group, count(distinct j.claim)::integer as lanes
      from jobs j join hosts h on h.host = j.host
      where j.queue = ${queue}::text and j.state = 'in_progress' group by h.host_group
    )`
}

/** The share is that of a group, and its hosts take turns in it. */
const turnsOfGroups = sql`(
  select * from (
    select *, row_number() over (partition by host_group order by priority desc, nth, id) as nth_of_group from due
  ) as numbered
  where nth_of_group <= share
) as grouped`
