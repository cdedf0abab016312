import { expect, test } from 'vitest'
import { summarizeStatement } from './summarize-statement.ts'

test.each([
  ['select "id", "email" from "auth"."users" where "email" = $1', 'SELECT auth.users'],
  ['insert into "tags" ("name") values ($1) on conflict do update set "name" = $1', 'INSERT tags'],
  ['update "mailings" set "status" = $1 where exists (select 1 from backups)', 'UPDATE mailings backups'],
  ['delete from only "auth"."sessions" where id = $1', 'DELETE auth.sessions'],
  ['select 1 from a join b on true left join lateral (select 1 from c) d on true', 'SELECT a b c'],
  [
    'with due as materialized (select 1 from series) update series_entry set x = 1 from due',
    'UPDATE series series_entry',
  ],
  ['select max(created_at) from drizzle.__drizzle_migrations', 'SELECT drizzle.__drizzle_migrations'],
  ["select 'from secret_table', 'ann@example.test' from users", 'SELECT users'],
  ['select * from unnest($1::uuid[]) as given(id)', 'SELECT'],
  ['delete from a where id in (select id from a order by x for update skip locked)', 'DELETE a'],
  ['select extract(epoch from s.at) from s where s.x is distinct from y', 'SELECT s'],
  [
    'with new as (insert into "auth"."sessions" ("id") values ($1) returning id) select 1 from new',
    'SELECT auth.sessions',
  ],
  ['listen something', 'OTHER'],
])('%s', (text, summary) => {
  expect(summarizeStatement(text).summary).toBe(summary)
})
