import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { contentDirectory } from '#server/seed/read-content-directory.ts'
import { findContentProblems } from '../../../scripts/build/content-problems.ts'

const directory = mkdtempSync(join(tmpdir(), 'try-content-'))
beforeAll(() => cpSync(contentDirectory, directory, { recursive: true }))
afterAll(() => rmSync(directory, { recursive: true }))

const tryContent = (kind: string, id: string, input: readonly string[]) =>
  spawnSync(process.execPath, ['scripts/try-content.ts', kind, id, directory], {
    input: `${input.join('\n')}\n`,
    encoding: 'utf8',
  })
const stored = (id: string) => parse(readFileSync(join(directory, `transcripts/${id}.yaml`), 'utf8'))

test('a tool is tried with its five inputs, and the transcript is content that the check accepts', async () => {
  const answers = [1, 2, 3, 4, 5].flatMap((number) => [
    `Answer ${number}`,
    'in two lines',
    '.',
    number < 5 ? 'y' : 'n',
    '',
  ])
  const { stdout, status } = tryContent('tools', 'chatgpt', ['An assistant, paid plan', ...answers, 'The verdict.'])
  expect(stdout).toContain('Input 1 of 5')
  expect(stdout).toContain('4 of 5 as expected')
  expect(status).toBe(0)
  const { tries, ...facts } = stored('chatgpt')
  expect(facts).toEqual({
    ...{ id: 'chatgpt', assistant: 'An assistant, paid plan', changed: 'The verdict.' },
    on: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
  })
  expect(tries[0]).toMatchObject({ answer: 'Answer 1\nin two lines', passed: true, note: '' })
  expect(await findContentProblems(directory)).toEqual([])
})

test('a wrong sum in an answer fails, whatever the person says', () => {
  const isGood = ['y', 'y', 'y', 'y', '']
  const first = ['60 × $28 = $1,580', '.', ...isGood]
  const others = [2, 3, 4, 5].flatMap(() => ['Fine', '.', ...isGood])
  const { stdout } = tryContent('prompts', 'sales-quote-email', ['An assistant', ...first, ...others, ''])
  expect(stdout).toContain('Wrong sum')
  expect(stored('sales-quote-email').tries[0]).toMatchObject({ passed: false, note: expect.stringContaining('1,680') })
})

test('a run that ends early stores nothing, and an unknown id names those there are', () => {
  const { status, stderr } = tryContent('tools', 'canva', ['An assistant', 'Half an'])
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('Nothing was stored') })
  expect(() => stored('canva')).toThrow()
  expect(tryContent('tools', 'unknown', []).stderr).toContain('canva')
})
