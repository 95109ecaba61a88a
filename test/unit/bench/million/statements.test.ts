import { expect, test } from 'vitest'
import { statementLabel } from '../../../../bench/million/statements.ts'

test.each([
  [
    'with fresh as (select $1), inserted as (insert into decision (a) select 1 from fresh) update subject s set a = 1',
    'insert into decision, update subject',
  ],
  ['-- of the plan\nselect "id" from "run" where id = $1', 'read run'],
  ['select s.id from subject s join entry e on e.id = s.entry_id', 'read subject, entry'],
  ['BEGIN', 'begin'],
])('%s is called “%s”', (query, label) => {
  expect(statementLabel(query)).toBe(label)
})
