/** The choices of the onboarding wizard, in the order in which they are offered. */
export const focusAreas = ['Operations', 'Marketing', 'Sales', 'Technology', 'Customer Service', 'Finance'] as const
export type FocusArea = (typeof focusAreas)[number]

export const aiLevels = ['beginner', 'intermediate', 'advanced'] as const
export type AiLevel = (typeof aiLevels)[number]

/** How each AI level introduces itself to the reader. */
export const aiLevelLabels: Record<AiLevel, { title: string; description: string }> = {
  beginner: { title: 'Beginner', description: 'Just getting started' },
  intermediate: { title: 'Intermediate', description: 'Using AI tools regularly' },
  advanced: { title: 'Advanced', description: 'Implementing AI solutions' },
}

export const goals = [
  'Increase efficiency',
  'Reduce costs',
  'Improve customer experience',
  'Scale operations',
  'Stay competitive',
] as const

export const franchiseTypes = [
  'Food & Beverage',
  'Retail',
  'Services',
  'Health & Fitness',
  'Education',
  'Other',
] as const
