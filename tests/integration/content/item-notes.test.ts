import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contentDirectory } from '#server/seed/read-content-directory.ts'
import { seedContent } from '#server/seed/seed-content.ts'
import type { FullIssue } from '#shared/contracts/library/issues.ts'
import type { Guide, PromptCategory, Tool } from '#shared/contracts/library/library.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { seedFirstDrops } from '#tests/support/seed-first-drops.ts'

const server = openForTests(() => createTestApp())
const directory = mkdtempSync(join(tmpdir(), 'item-notes-'))
let reader: TestUser
beforeAll(async () => {
  await seedFirstDrops(server.deps)
  reader = await buildUser(server, { subscription: 'active' })
})
afterAll(() => rmSync(directory, { recursive: true }))

const ask = async <T>(name: string, body: unknown = {}) => (await call(server, name, body, reader.token)).body as T
const readTool = async (id: string) => (await ask<{ tools: Tool[] }>('tools')).tools.find((tool) => tool.id === id)
const readPrompts = async () =>
  (await ask<{ categories: PromptCategory[] }>('prompt-packs')).categories.flatMap(({ prompts }) => prompts)
const readPage = async (path: string) => (await ask<{ html: string }>('site-page', { path })).html

test('a drop, a prompt and a guide on a subject of state law have its rules with source and day', async () => {
  const { issue } = await ask<{ issue: FullIssue }>('weekly-drop', { slug: 'follow-up-open-estimates' })
  const texas = issue.rules.flatMap(({ rows }) => rows).find(({ states }) => states.includes('TX'))
  expect(texas).toMatchObject({ name: 'Texas', checkedOn: '2026-11-28', source: expect.stringMatching(/^https:/) })
  const { issue: other } = await ask<{ issue: FullIssue }>('weekly-drop', { slug: 'year-end-pl-review' })
  expect(other.rules).toEqual([])
  const prompts = await readPrompts()
  expect(prompts.find(({ id }) => id === 'operations-job-ad-rewrite')?.rules[0]?.title).toBe('AI in hiring')
  const { guides } = await ask<{ guides: Guide[] }>('guides')
  expect(guides.find(({ id }) => id === 'review-reputation-playbook')?.rules).toHaveLength(2)
})

test('a change that a drop told is at its tool, and on the page of changes with a link to the drop', async () => {
  const tool = await readTool('chatgpt')
  expect(tool?.changes?.[0]).toMatchObject({ on: '2026-11-17', title: 'ChatGPT can record a conversation, on a Mac' })
  expect((await readTool('zapier'))?.changes).toEqual([])
  const page = await readPage('what-changed')
  expect(page).toContain('href="/portal/weekly-drops/ten-minutes-in-your-close#what-changed"')
  // Not out yet.
  expect(page).not.toContain('weekly-flash')
})

test('until a transcript is there, prompts and tools say that nothing was tried', async () => {
  const prompts = await readPrompts()
  expect(prompts.map(({ run }) => run?.tried)).toEqual(prompts.map(() => null))
  expect(prompts.filter(({ run }) => run?.isPrepared)).toHaveLength(20)
  expect((await readTool('canva'))?.run).toEqual({ isPrepared: true, tried: null })
})

test('a stored transcript is counted at its item and shown on the page of test runs', async () => {
  cpSync(contentDirectory, directory, { recursive: true })
  mkdirSync(join(directory, 'transcripts'))
  const tries = [1, 2].map((number) => ({
    ...{ input: `Notes ${number}`, expect: 'Five headings', check: 'Count the points.' },
    ...{ answer: `Do first\n\n| a | b |`, passed: number === 1, note: '' },
  }))
  const transcript = { id: 'operations-closing-handover', assistant: 'An assistant', on: '2026-11-16', tries }
  writeFileSync(join(directory, 'transcripts/operations-closing-handover.yaml'), JSON.stringify(transcript))
  await seedContent(server.deps, directory)
  const prompt = (await readPrompts()).find(({ id }) => id === transcript.id)
  expect(prompt?.run?.tried).toEqual({ on: '2026-11-16', assistant: 'An assistant', passed: 1, total: 2 })
  const page = await readPage('test-runs')
  expect(page).toContain('Tried on Nov 16, 2026 with An assistant: 1 of 2 as expected.')
  expect(page).toContain('Not as expected')
})
