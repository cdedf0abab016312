import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { AnyCall } from '#shared/contracts/define-call.ts'

test('what a call makes stale is the first part of the key of a query', async () => {
  const contracts = globSync('src/shared/contracts/**/*.ts', { exclude: ['**/*.test.ts'] })
  const modules = await Promise.all(contracts.map((file) => import(new URL(`../../${file}`, import.meta.url).href)))
  const names = modules
    .flatMap((module) => Object.values(module as object))
    .flatMap((value) => (value as AnyCall | null)?.invalidates ?? [])
  expect(names.length).toBeGreaterThan(40)
  const pages = globSync('src/client/**/*.{ts,tsx}').map((file) => readFileSync(file, 'utf8'))
  const keys = new Set(pages.flatMap((page) => [...page.matchAll(/\[\s*'([\w-]+)'/g)].map(([, name]) => name)))
  expect(names.filter((name) => !keys.has(name))).toEqual([])
})

/** Changes that no open page shows: links, files, previews, and what leaves the page. */
const withoutQueries =
  `adminArchiveLinkCall adminCheckMergeCall adminCreateMailingCall adminDeleteMailingCall adminExportDeliveriesCall
  adminExportMembersCall adminGuideFileLinkCall adminMemberImportErrorsCall adminPreviewBulkActionCall
  adminPreviewPersonalEmailCall deleteAccountCall exportDataCall`.split(/\s+/)

test('a change that a component makes stores its answer, declares what it makes stale, or is in this list', async () => {
  const contracts = globSync('src/shared/contracts/**/*.ts', { exclude: ['**/*.test.ts'] })
  const modules = await Promise.all(contracts.map((file) => import(new URL(`../../${file}`, import.meta.url).href)))
  const calls = new Map(modules.flatMap((module) => Object.entries(module as Record<string, AnyCall | null>)))
  const pages = globSync('src/client/**/*.tsx').map((file) => readFileSync(file, 'utf8'))
  const changes = new Set(
    pages.flatMap((page) => [...page.matchAll(/useChange\((\w+)\b(?!, \{\s*stores:)/g)].map(([, name = '']) => name)),
  )
  expect(changes.size).toBeGreaterThan(40)
  expect([...changes].filter((name) => !calls.get(name)?.invalidates).toSorted()).toEqual(withoutQueries)
})
