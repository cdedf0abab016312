import type { Publication } from '#shared/publication-defaults.ts'

/** Words that attackers of this publication try first. They add almost nothing to a password's score (ASVS 6.1.2). */
export const contextWords = ({ name, tagline }: Publication): string[] => [
  name,
  tagline,
  ...['weekly', 'drops', 'issue', 'prompt', 'packs', 'guides', 'playbook', 'template', 'tools', 'picks', 'library'],
  ...['reader', 'member', 'subscriber', 'publisher', 'operator', 'admin', 'team', 'account', 'portal', 'dashboard'],
  ...['operations', 'marketing', 'sales', 'monthly', 'yearly', 'newsletter', 'letters', 'franchise', 'franchisee'],
]
