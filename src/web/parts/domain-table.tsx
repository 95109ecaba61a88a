import { ageText, coolingText, modeText, rateText } from '../../client/limits/figures-text.ts'
import { agedOf } from '../../client/limits/read-limits.ts'
import type { DomainLimit } from '../../db/domain-limits.repo.ts'
import { numberText } from '../number-text.ts'

/** Each domain and what it waits for, as last seen. */
export function DomainTable({ limits, nowMs }: { limits: readonly DomainLimit[]; nowMs: number }) {
  if (limits.length === 0) return <p>No domain was asked yet.</p>
  return (
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">Domain</th>
            <th scope="col">Rate</th>
            <th scope="col">How it goes</th>
            <th scope="col">Waits for</th>
            <th scope="col">Requests</th>
            <th scope="col">Seen</th>
          </tr>
        </thead>
        <tbody>
          {limits.map((limit) => {
            const now = agedOf(limit)
            const paused = limit.pausedBecause
            const waits =
              paused !== null ? `paused: ${paused}` : now === null ? '' : coolingText(now, nowMs)
            return (
              <tr>
                <th scope="row">{limit.domain}</th>
                <td>{now === null ? '' : rateText(now.fillRate)}</td>
                <td>{now === null ? '' : modeText(now)}</td>
                <td>{waits === '' ? 'nothing' : waits}</td>
                <td class="number">{now === null ? '' : numberText(now.totalRequests)}</td>
                <td>{ageText(limit.ageMs)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
