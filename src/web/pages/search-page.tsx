import type { Project } from '../../db/projects.repo.ts'
import { FoundItems } from '../parts/found-items.tsx'
import { Layout } from '../parts/layout.tsx'
import { queryText } from '../query-text.ts'
import type { FoundItem } from '../search-items.ts'

/** What the form of a record carries along. */
export interface CarriedFields {
  readonly entry: string
  readonly seen: string
  readonly place: string
  readonly view: string
  readonly note: string
  /** `one`: only this record, none that is equal. */
  readonly scope: string
}

/** A search from the page of a record, where no script shows what was found below the field. */
export function SearchPage({
  project,
  carried,
  text,
  items,
}: {
  project: Project
  carried: CarriedFields
  text: string
  items: readonly FoundItem[]
}) {
  const { entry } = carried
  const back = `/p/${project.id}/review?${queryText({ entry })}`
  return (
    <Layout
      title={`Search for ${text}`}
      crumbs={[
        { text: project.name, href: `/p/${project.id}` },
        { text: `record ${entry}`, href: back },
        { text: 'Search' },
      ]}
    >
      <h1>Another item for record {entry}</h1>
      <form method="get" action={`/p/${project.id}/search`} class="inline">
        <Carried fields={carried} />
        <label>
          Name
          <input name="item" value={text} required maxlength={200} />
        </label>
        <button type="submit">Search</button>
      </form>
      <form method="post" action={`/p/${project.id}/judge`}>
        <Carried fields={carried} />
        <FoundItems text={text} items={items} />
      </form>
      <p>
        <a class="button" href={back}>
          None of these: back to the record
        </a>
      </p>
    </Layout>
  )
}

function Carried({ fields }: { fields: CarriedFields }) {
  return (
    <>
      {Object.entries(fields).map(([name, value]) => (
        <input type="hidden" name={name} value={String(value)} />
      ))}
    </>
  )
}
