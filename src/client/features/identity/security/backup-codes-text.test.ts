import { expect, test } from 'vitest'
import { backupCodesText } from './backup-codes-text.ts'

test('the file names the account and lists one code per line', () => {
  const text = backupCodesText(['ABCD-EFGH', 'JKLM-NPQR'], 'a@example.com', new Date('2025-03-03T12:00:00Z'))
  expect(text).toContain('for a@example.com, created Mar 3, 2025')
  expect(text.split('\n')).toEqual(expect.arrayContaining(['ABCD-EFGH', 'JKLM-NPQR']))
})
