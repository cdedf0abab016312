import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { expect, test } from 'vitest'
import {
  earlierMigrationsFolder,
  migrationsFolder,
  migrationsUntil,
  newestMigration,
  pendingMigrations,
} from './migrations-folder.ts'

/** Migrations that servers of the previous version may live through: after the last one of 0.4.0, and after the baseline. */
const sinceRelease = [
  { folder: earlierMigrationsFolder, lastReleased: 57 },
  { folder: migrationsFolder, lastReleased: 0 },
]

/** Statements after which a server of the previous version fails. A later version may contain them. */
const breaking: [RegExp, string][] = [
  [/\bdrop\s+(table|column|view|materialized view|schema|type)\b/i, 'drops'],
  [/\brename\s+(to|column|constraint)\b/i, 'renames'],
  [/\bset\s+not\s+null\b/i, 'forbids nulls that the previous version may write'],
  [/\b(set\s+data\s+type|alter\s+column\s+\S+\s+type)\b/i, 'changes a type'],
  [
    /\badd\s+column\s+\S+\s+(?!.*\bdefault\b)[^;]*\bnot\s+null\b/i,
    'adds a column that the previous version leaves empty',
  ],
]

/** The members list of 0.4.0 doesn't load until its server is updated; nothing else reads the column. */
const accepted = ['0061_members_by_time_of_joining.sql drops: ALTER TABLE "member_facts" drop column "tokens"']

const withoutComments = (sql: string) => sql.replace(/--[^\n]*/g, '').replace(/\/\*[\s\S]*?\*\//g, '')

const breakingStatements = (sql: string) =>
  withoutComments(sql)
    .split(';')
    .flatMap((statement) =>
      breaking.filter(([pattern]) => pattern.test(statement)).map(([, effect]) => `${effect}: ${statement.trim()}`),
    )

test('Migrations since the last release only add, so that servers of both versions can run side by side', () => {
  const found = sinceRelease.flatMap(({ folder, lastReleased }) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.sql') && Number.parseInt(name, 10) > lastReleased)
      .flatMap((name) =>
        breakingStatements(readFileSync(join(folder, name), 'utf8')).map((statement) => `${name} ${statement}`),
      ),
  )
  expect(found).toEqual(accepted)
})

test.each([
  'ALTER TABLE "plan" DROP COLUMN "note"',
  'ALTER TABLE "plan" RENAME COLUMN "note" TO "text"',
  'ALTER TABLE "plan" ALTER COLUMN "note" SET NOT NULL',
  'ALTER TABLE "plan" ALTER COLUMN "note" SET DATA TYPE integer',
  'ALTER TABLE "plan" ADD COLUMN "note" text NOT NULL',
  'DROP TABLE "plan"',
])('“%s” would break servers of the previous version', (statement) => {
  expect(breakingStatements(`${statement};`)).toHaveLength(1)
})

test.each([
  'ALTER TABLE "plan" ADD COLUMN "note" text DEFAULT \'\' NOT NULL',
  'CREATE TABLE "other" ("id" uuid PRIMARY KEY NOT NULL)',
  '-- drop column note\nCREATE INDEX "a" ON "plan" ("note")',
  'DROP INDEX "a"',
])('“%s” wouldn’t', (statement) => {
  expect(breakingStatements(`${statement};`)).toEqual([])
})

test('A new database starts with the baseline; one of an earlier version gets what it lacks, and the baseline is only recorded', () => {
  const earlier = readMigrationFiles({ migrationsFolder: earlierMigrationsFolder })
  const [baseline] = pendingMigrations(0)
  expect(baseline?.sql.join()).toContain('CREATE TABLE public.plan')
  const [beforeLast, last] = earlier.slice(-2)
  const pending = pendingMigrations(beforeLast?.folderMillis ?? 0)
  expect(pending.slice(0, 2)).toEqual([last, { ...baseline, sql: [] }])
  expect(pendingMigrations(newestMigration())).toEqual([])
})

test('A database is made as of any migration, and of none that this version doesn’t know', () => {
  const earlier = readMigrationFiles({ migrationsFolder: earlierMigrationsFolder })
  expect(migrationsUntil(earlier[57]?.folderMillis ?? 0)).toEqual(earlier.slice(0, 58))
  expect(migrationsUntil(newestMigration())?.[0]).toEqual(pendingMigrations(0)[0])
  expect(migrationsUntil(newestMigration() + 1)).toBeNull()
})
