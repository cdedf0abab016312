import type { ExampleOf } from './placeholders.ts'
import type { VariableName } from './variables.ts'
import type { Vertical } from './verticals.ts'

/** Invented values of a trade, which blanks show instead of their label. Only where trades differ. */
export const tradeExamples = {
  business_type: {
    general: 'sandwich shop',
    fitness: 'fitness studio',
    'home-services': 'gutter-cleaning company',
    automotive: 'oil-change shop',
    salon: 'hair salon',
  },
  role: {
    general: 'shift leader',
    fitness: 'front-desk lead',
    'home-services': 'crew lead',
    automotive: 'service writer',
    salon: 'stylist',
  },
  roles: {
    general: 'shift leader, line cook, cashier',
    fitness: 'manager, front desk, coach',
    'home-services': 'dispatcher, crew lead, technician',
    automotive: 'service writer, technician, lube tech',
    salon: 'manager, stylist, receptionist',
  },
  customers: {
    general: 'office workers at lunch, families on weekends',
    fitness: 'working adults before 8 a.m. and after 5 p.m.',
    'home-services': 'owners of single-family houses',
    automotive: 'commuters and two small fleets',
    salon: 'regulars who book every six weeks',
  },
  product: {
    general: 'lunch combo',
    fitness: 'monthly membership',
    'home-services': 'gutter cleaning',
    automotive: 'oil change',
    salon: 'cut and color',
  },
  price: { general: '$12.50', fitness: '$89', 'home-services': '$240', automotive: '$79', salon: '$135' },
} as const satisfies Examples

type Examples = Partial<Record<VariableName, { general: string } & Partial<Record<Vertical, string>>>>

/** Examples for the blanks of a prompt; none for variables that mean the same in every trade, and none without a trade. */
export const tradeExamplesFor =
  (vertical: Vertical | null): ExampleOf =>
  (name) => {
    const examples: Examples = tradeExamples
    return (vertical && (examples[name]?.[vertical] ?? examples[name]?.general)) ?? null
  }
