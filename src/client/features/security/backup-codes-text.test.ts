import { expect, test } from 'vitest'
import { backupCodesText } from './backup-codes-text.ts'

test('the file says whose codes it holds, and each code stands on a line of its own', () => {
  const text = backupCodesText(['ABCD-EFGH', 'JKLM-NPQR'], 'a@example.com', new Date('2025-03-03T12:00:00Z'))
  expect(text).toContain('for a@example.com, made Mar 3, 2025')
  expect(text.split('\n')).toEqual(expect.arrayContaining(['ABCD-EFGH', 'JKLM-NPQR']))
})
