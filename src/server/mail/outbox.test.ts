import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createOutbox } from './outbox.ts'

test('the outbox file, which contains sign-in links, is readable only by its owner', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'front-counter-outbox-'))
  try {
    const options = { from: 'a@b.test', file: join(directory, 'outbox.jsonl'), clock: () => new Date() }
    await createOutbox(options).send({ to: 'ana@example.test', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' })
    expect(statSync(options.file).mode & 0o777).toBe(0o600)
    expect(createOutbox(options).list('ana@example.test')).toHaveLength(1)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
})
