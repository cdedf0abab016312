import { readFileSync } from 'node:fs'
import freeDomains from 'free-email-domains'
import { expect, test } from 'vitest'
import { publicDomainsFile } from '#server/features/billing/teams/domains/team-domains.ts'

const shipped = new Set(readFileSync(publicDomainsFile, 'utf8').split('\n'))

// After an update of the package: add its new names to the file.
test('no domain of the list of public email domains can give access to a team', () => {
  expect(freeDomains.filter((domain) => !shipped.has(domain.toLowerCase()))).toEqual([])
  expect(['gmail.com', 'outlook.com', 'hey.com', 'tutanota.com', 'proton.me'].every((one) => shipped.has(one))).toBe(
    true,
  )
})
