import { expect, test } from 'vitest'
import { CallError } from '#client/lib/error-message.ts'
import { emptyDraft } from '#shared/contracts/publishing/documents.ts'
import type { StoredDocument } from '#shared/contracts/publishing/publishing.ts'
import { conflictOf } from './use-document-autosave.ts'

const theirs = {
  kind: 'tool',
  id: 'till',
  document: emptyDraft('tool', 'Theirs'),
  version: 7,
  publishedVersion: null,
  hasBeenPublished: false,
  updatedAt: '2026-11-21T10:00:00.000Z',
  updatedBy: 'ann@example.test',
  scheduled: null,
  publishFailure: null,
} as StoredDocument

test('a conflict error contains the newer document; other errors and other bodies contain none', () => {
  expect(conflictOf(new CallError('edit_conflict', 'Someone else', 409, { current: theirs }))).toEqual(theirs)
  expect(conflictOf(new CallError('edit_conflict', 'Someone else', 409, { current: { version: 7 } }))).toBeNull()
  expect(conflictOf(new CallError('not_publishable', 'Not ready', 422, { current: theirs }))).toBeNull()
  expect(conflictOf(new Error('network'))).toBeNull()
})
