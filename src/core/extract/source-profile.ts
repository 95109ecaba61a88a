/**
 * A source as data: whom to ask, how its lists go on, and what makes the id of an item. Written by a person as JSON
 * (`client/extract/profile-file.ts` checks it), kept with the run, and holding no secret: those are set by host in the
 * environment.
 */
import type { ListRules } from './paginator.ts'

export interface SourceProfile {
  /** Names the source: one extraction of it runs at a time. */
  readonly name: string
  /** http(s), without a slash at its end; paths are put behind it. */
  readonly baseUrl: string
  readonly auth: SourceAuth
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>
  readonly types: readonly ContentType[]
}

/**
 * How the secret of the host is sent. `login` trades it, written `id:secret`, for a token that is renewed before it ends
 * and once when it is refused.
 */
export type SourceAuth =
  | { readonly kind: 'none' }
  | { readonly kind: 'bearer' }
  | { readonly kind: 'basic' }
  | { readonly kind: 'header'; readonly name: string }
  | LoginAuth

export interface LoginAuth {
  readonly kind: 'login'
  readonly path: string
  /** Fields of the form that is posted. */
  readonly idField: string
  readonly secretField: string
  /** Where the answer has the token, and its life in seconds. */
  readonly tokenPath: string
  readonly expiresInPath: string
  /** `Bearer`, `token`, … */
  readonly scheme: string
}

/** One kind of item, and its list. */
export interface ContentType extends ListRules {
  readonly name: string
  readonly path: string
  /** Added to every list request: a filter, a sort by a unique field, the fields that are wanted. */
  readonly params: Readonly<Record<string, string>>
  /** Where the answer has its list, such as `data.items`; empty: the answer is the list. */
  readonly items: string
  /** Where an item has its id, such as `id` or `meta.uuid`. */
  readonly id: string
  /** Where the source says how many items there are; null: nowhere. */
  readonly total: TotalPlace | null
  /** What is asked for each item, `{id}` in its path; null: the list says everything. */
  readonly detail: { readonly path: string } | null
  /** Column → place in the item; null: every field of the item is a column. */
  readonly columns: Readonly<Record<string, string>> | null
  /** How the source is asked only for what has changed; left out: it cannot be. */
  readonly changedSince?: ChangedSince
}

export interface ChangedSince {
  /** Parameter of the list: only items that changed at this moment or later. */
  readonly param: string
  /** Where an item says when it last changed, as the parameter takes it: a time, or a number that only grows. */
  readonly field: string
}

export type TotalPlace = { readonly header: string } | { readonly path: string }

/** @throws TypeError for a type that the profile has not: a defect, since runs are checked when they are made. */
export function contentTypeOf(profile: SourceProfile, name: string): ContentType {
  const found = profile.types.find((type) => type.name === name)
  if (found === undefined) throw new TypeError(`expected a content type of ${profile.name}`)
  return found
}

/** The dataset that items of a type become: one each where the profile has several, since their columns differ. */
export function datasetNameOf(profile: SourceProfile, base: string, type: string): string {
  return profile.types.length === 1 ? base : `${base}-${type}`
}
