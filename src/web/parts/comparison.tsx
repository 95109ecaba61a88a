/** Left the record, right its candidates, property by property in aligned rows. */
import type { FeatureShare } from '../../core/matching/score-shares.ts'
import { propertyNames } from '../../core/known-properties.ts'
import type { Verdict } from '../../core/matching/decision.ts'
import type { ExplainedCandidate } from '../../client/explain/explain-entry.ts'
import type { ShownItem } from '../../db/shown-items.repo.ts'
import { comparedRows } from '../compared-rows.ts'
import { shownRows } from '../shown-rows.ts'

/** By sign and word, never by colour alone. */
const marks: Readonly<Record<Verdict, { readonly sign: string; readonly word: string }>> = {
  agree: { sign: '✓', word: 'agrees' },
  partly: { sign: '≈', word: 'partly' },
  disagree: { sign: '✗', word: 'differs' },
  unknown: { sign: '·', word: 'unknown' },
}

const NOTHING_NEW: ReadonlySet<string> = new Set(['agree', 'partly', 'disagree', 'unknown'])

export interface ShownCandidate extends ExplainedCandidate {
  /** Of its page; '' where there is none. */
  readonly url: string
  /** Null: nothing more is known of it. */
  readonly item: ShownItem | null
}

export function Comparison({
  name,
  entry,
  otherNames,
  candidates,
  blind,
  chosen,
  canChoose,
  pictures,
}: {
  name: string
  entry: string
  otherNames: readonly string[]
  candidates: readonly ShownCandidate[]
  /** Scores and shares are hidden. */
  blind: boolean
  /** The item of the result. */
  chosen: string | null
  canChoose: boolean
  /** Where pictures of candidates are, by their ids; null: none are shown */
  pictures: string | null
}) {
  const rows = comparedRows(candidates)
  const more = shownRows(candidates.map(({ item }) => item))
  const height = `rows-${Math.min(rows.length + more.length, 14)}`
  return (
    <div
      class={`compare columns-${Math.min(candidates.length, 4)}`}
      data-rows={rows.length + more.length}
    >
      <section class={`side ${height}`} aria-labelledby="record-name">
        <header>
          <p class="kind">Your record</p>
          <h2 id="record-name">{name}</h2>
          <p class="small">{otherNames.length === 0 ? '' : `also ${otherNames.join(' · ')}`}</p>
          <p class="small">id {entry}</p>
        </header>
        {rows.map(({ feature, record }) => (
          <div class="row own">
            <Feature name={feature} />
            <span class="value">{record === '' ? '—' : record}</span>
          </div>
        ))}
        {more.map((row) => (
          <div class="row own wide">
            <span class="feature">{row.name}</span>
            <span class="value">—</span>
          </div>
        ))}
      </section>
      {candidates.map((candidate, index) => (
        <section
          class={`side ${height}${candidate.id === chosen ? ' chosen' : ''}`}
          aria-labelledby={`candidate-${index + 1}`}
        >
          <header>
            <p class="kind">
              Candidate {index + 1}
              {candidate.id === chosen ? ', chosen' : ''}
            </p>
            <h2 id={`candidate-${index + 1}`}>
              {candidate.url === '' ? (
                (candidate.label ?? candidate.id)
              ) : (
                <a
                  href={candidate.url}
                  rel="noreferrer noopener"
                  target="_blank"
                  data-open={index + 1}
                >
                  {candidate.label ?? candidate.id}
                </a>
              )}
            </h2>
            {pictures === null ? null : (
              <img
                class="picture"
                src={`${pictures}/${encodeURIComponent(candidate.id)}`}
                alt={`Picture of ${candidate.label ?? candidate.id}`}
                loading="lazy"
              />
            )}
            <p class="small">{candidate.description ?? ''}</p>
            <p class="small">
              {candidate.id}
              {blind ? null : (
                <>
                  {' · '}
                  <b>score {Math.round(candidate.score)}</b> of 100
                </>
              )}
            </p>
            {candidate.veto === null ? null : <p class="veto">Never automatic: {candidate.veto}</p>}
            {canChoose ? (
              <button
                class="choose"
                name="say"
                value={`match ${candidate.id}`}
                data-key={index + 1}
                type="submit"
              >
                This one <kbd>{index + 1}</kbd>
              </button>
            ) : null}
          </header>
          {rows.map((row) => {
            const cell = row.cells[index] ?? null
            return (
              <div class={`row is-${cell?.verdict ?? 'unknown'}`}>
                <Feature name={row.feature} isNarrow />
                <span class="value narrow own-value">{row.record === '' ? '—' : row.record}</span>
                <span class="value">{(cell?.candidate ?? '') === '' ? '—' : cell?.candidate}</span>
                <Mark cell={cell} blind={blind} />
              </div>
            )
          })}
          {more.map((row) => (
            <div class="row">
              <span class="feature narrow">{row.name}</span>
              <span class="value">{row.cells[index] === '' ? '—' : row.cells[index]}</span>
            </div>
          ))}
        </section>
      ))}
    </div>
  )
}

/** A property by its name, where it is well known. */
function Feature({ name, isNarrow = false }: { name: string; isNarrow?: boolean }) {
  const [called] = propertyNames(name)
  return (
    <span class={isNarrow ? 'feature narrow' : 'feature'}>
      {called === undefined ? name : `${called} · ${name}`}
    </span>
  )
}

/** How it agrees, where that is more than the mark says: `date.year` is the year, `country.agree` nothing new. */
function howText(how: string): string {
  const [, step] = /^\w+\.([\w-]+)$/.exec(how) ?? []
  const text = step === undefined ? how : NOTHING_NEW.has(step) ? '' : step.replaceAll('-', ' ')
  return text === '' ? '' : ` (${text})`
}

function Mark({ cell, blind }: { cell: FeatureShare | null; blind: boolean }) {
  const { sign, word } = marks[cell?.verdict ?? 'unknown']
  const how = howText(cell?.how ?? '')
  const share = cell?.share ?? 0
  return (
    <span class="mark">
      <span>
        <span aria-hidden="true">{sign}</span> {word}
        {how}
      </span>
      {blind || cell === null || share === 0 ? null : (
        <>
          <svg class="share" viewBox="0 0 200 8" preserveAspectRatio="none" aria-hidden="true">
            <rect
              class={share > 0 ? 'share-for' : 'share-against'}
              x={share > 0 ? 100 : 100 + share}
              y="1"
              width={Math.abs(share)}
              height="6"
            />
          </svg>
          <span class="small">{share > 0 ? `+${share}` : `−${Math.abs(share)}`} %</span>
        </>
      )}
    </span>
  )
}
