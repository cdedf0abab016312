/** Trades that examples are written for, in the order in which they are offered. */
export const verticals = ['food', 'fitness', 'home-services', 'automotive', 'salon'] as const
export type Vertical = (typeof verticals)[number]

export const verticalLabels: Record<Vertical, string> = {
  food: 'Food',
  fitness: 'Fitness',
  'home-services': 'Home services',
  automotive: 'Automotive',
  salon: 'Salon and personal care',
}

/** The likeliest first. Franchise types without a trade of their own have none. */
const verticalsOfType: Readonly<Record<string, readonly Vertical[]>> = {
  'Food & Beverage': ['food'],
  'Health & Fitness': ['fitness', 'salon'],
  Services: ['home-services', 'automotive', 'salon'],
}

/** Trades that fit a franchise type from onboarding; empty for Retail, Education, Other and no answer. */
export const verticalsOf = (franchiseType: string | null): readonly Vertical[] =>
  (franchiseType === null ? undefined : verticalsOfType[franchiseType]) ?? []
