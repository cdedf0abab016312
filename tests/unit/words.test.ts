import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Words that docs/glossary.md replaces, and the names of the wire, the database and the configuration that keep them. */
const gone = /audit[ -]?log|publishing\/newsletter\//i
const kept = /auth-audit-log|admin-audit-log|audit_log_entries|auditLogEntries|AUDIT_LOG_DAYS|auditLogDays/g

test('Code doesn’t use words that the glossary replaced', () => {
  const files = execFileSync('git', ['ls-files', 'src', 'scripts', 'packages'], { encoding: 'utf8' }).trim().split('\n')
  const found = files
    .filter((file) => /\.(ts|tsx|mjs)$/.test(file))
    .filter((file) => gone.test(`${file}\n${readFileSync(file, 'utf8')}`.replaceAll(kept, '')))
  expect(found).toEqual([])
})
