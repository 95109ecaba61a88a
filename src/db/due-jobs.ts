import { type RawBuilder, sql } from 'kysely'

/**
 * Jobs that are due, as the parts of a WITH RECURSIVE that ends in `best (id, priority, turn)`: the highest priority
 * first, among equals one of each host in turn.
 * @param share jobs of one host at most; may use `b.lanes`, the claims that have jobs of it (null: none)
 */
export function dueJobs(
  queue: string,
  { share, limit }: { readonly share: RawBuilder<number>; readonly limit: number },
): RawBuilder<unknown> {
  // A recursive skip scan: distinct hosts by the index, whatever the number of jobs.
  return sql`
    hosts as (
      (select host from jobs where queue = ${queue}::text and state = 'queued' order by host limit 1)
      union all
      select (
        select j.host from jobs j
        where j.queue = ${queue}::text and j.state = 'queued' and j.host > h.host order by j.host limit 1)
      from hosts h where h.host is not null
    ),
    busy as (
      select host, count(distinct claim)::integer as lanes from jobs
      where queue = ${queue}::text and state = 'in_progress' group by host
    ),
    best as (
      select one.id, one.priority, one.nth + coalesce(b.lanes, 0) as turn
      from hosts h
      left join busy b on b.host = h.host
      cross join lateral (
        select due.id, due.priority, row_number() over (order by due.priority desc, due.id) as nth
        from (
          select j.id, j.priority from jobs j
          where j.queue = ${queue}::text and j.state = 'queued' and j.host = h.host
            and (j.next_attempt_at is null or j.next_attempt_at <= clock_timestamp())
          order by j.priority desc, j.id
          limit ${share}
        ) as due
      ) as one
      where h.host is not null
      order by one.priority desc, turn, one.id
      limit ${limit}::integer
    )`
}
