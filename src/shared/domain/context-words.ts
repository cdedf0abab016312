import { publication } from '#shared/publication.ts'

/**
 * What is tried first against accounts of this publication in particular: its names, its parts and what its people are
 * called. Words in a password that stand here are worth next to nothing (docs/security.md, ASVS 6.1.2).
 */
export const contextWords: readonly string[] = [
  publication.name,
  publication.tagline,
  ...['weekly', 'drops', 'issue', 'prompt', 'packs', 'guides', 'playbook', 'template', 'tools', 'picks', 'library'],
  ...['reader', 'member', 'subscriber', 'publisher', 'operator', 'admin', 'team', 'account', 'portal', 'dashboard'],
  ...['operations', 'marketing', 'sales', 'monthly', 'yearly', 'newsletter', 'letters', 'franchise', 'franchisee'],
]
