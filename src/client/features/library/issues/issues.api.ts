import { fieldQuery } from '#client/lib/calls.ts'
import { weeklyDropCall, weeklyDropsCall } from '#shared/contracts/library/issues.ts'

export const issuesQuery = fieldQuery(['issues'], weeklyDropsCall, {}, 'issues')

export const issueQuery = (slug: string) => fieldQuery(['issues', slug], weeklyDropCall, { slug }, 'issue')
