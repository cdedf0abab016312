import type { Vertical } from './verticals.ts'

/**
 * - `line`: a few words. `text`: several lines, such as pasted notes. `list`: one item per line.
 * - `number`, `money`, `date` and `time` as the reader writes them.
 */
export type VariableType = 'line' | 'text' | 'list' | 'number' | 'money' | 'date' | 'time'

export type Variable = {
  label: string
  type: VariableType
  /** An invented value that shows the format. */
  example: string
  /** For trades in which the general example would be out of place. */
  examples?: Partial<Record<Vertical, string>>
}

/** Blanks in prompts, written `[store_name]`, or `[notes: what happened tonight]` with a hint for one prompt. */
export const variables = {
  // The business, the same in most prompts.
  store_name: {
    label: 'Store name',
    type: 'line',
    example: 'Harbor Street store',
  },
  brand: { label: 'Brand', type: 'line', example: 'the brand name as on your sign' },
  business_type: {
    label: 'Type of business',
    type: 'line',
    example: 'sandwich shop',
    examples: {
      fitness: 'fitness studio',
      'home-services': 'gutter-cleaning company',
      automotive: 'oil-change shop',
      salon: 'hair salon',
    },
  },
  city: { label: 'City', type: 'line', example: 'Dayton' },
  area: { label: 'Area you serve', type: 'line', example: 'Dayton and 15 miles around it' },
  territory: { label: 'Franchise territory', type: 'line', example: 'the ZIP codes in your franchise agreement' },
  opening_hours: { label: 'Opening hours', type: 'line', example: 'Monday to Saturday, 10 a.m. to 9 p.m.' },
  location_count: { label: 'Number of locations', type: 'number', example: '3' },
  tone_of_voice: { label: 'Tone of voice', type: 'line', example: 'friendly, plain, no exclamation marks' },
  voice_sheet: { label: 'Voice sheet', type: 'text', example: 'your voice sheet from the review playbook' },
  owner_first_name: { label: 'Owner’s first name', type: 'line', example: 'the first name you sign with' },
  contact_line: { label: 'Contact line', type: 'line', example: 'Call the store and ask for the owner' },
  website: { label: 'Website', type: 'line', example: 'your location page' },
  pos_system: { label: 'POS system', type: 'line', example: 'the name on your register screen' },
  booking_system: { label: 'Booking system', type: 'line', example: 'the app that holds your appointments' },
  scheduling_tool: { label: 'Scheduling tool', type: 'line', example: 'the app your team checks for shifts' },
  crm: { label: 'Customer system', type: 'line', example: 'the system that holds your customer records' },
  ai_tool: { label: 'AI tool', type: 'line', example: 'the assistant your policy allows' },
  // The franchisor.
  franchisor_contact: { label: 'Franchisor contact', type: 'line', example: 'your field consultant' },
  franchisor_rules: { label: 'Franchisor’s rules', type: 'text', example: 'paste the rule, or write none' },
  brand_rules: { label: 'Brand rules', type: 'text', example: 'words, logos and claims you may or may not use' },
  agreement_section: { label: 'Section of the agreement', type: 'line', example: 'Section 9.2, local advertising' },
  royalty_rate: { label: 'Royalty rate', type: 'line', example: '6% of gross sales' },
  ad_fund_rate: { label: 'Ad fund rate', type: 'line', example: '2% of gross sales' },
  royalty_base: { label: 'Royalty base', type: 'line', example: 'gross sales before discounts' },
  gross_sales: { label: 'Gross sales', type: 'money', example: '$41,860' },
  audit_form: { label: 'Audit form', type: 'text', example: 'the headings and points, without confidential text' },
  audit_score: { label: 'Audit score', type: 'line', example: '84 of 100' },
  franchisor_message: { label: 'Message from the franchisor', type: 'text', example: 'paste the part you may share' },
  // People, by role.
  role: {
    label: 'Role',
    type: 'line',
    example: 'shift leader',
    examples: {
      fitness: 'front-desk lead',
      'home-services': 'crew lead',
      automotive: 'service writer',
      salon: 'stylist',
    },
  },
  roles: {
    label: 'Roles',
    type: 'list',
    example: 'shift leader, line cook, cashier',
    examples: {
      fitness: 'manager, front desk, coach',
      'home-services': 'dispatcher, crew lead, technician',
      automotive: 'service writer, technician, lube tech',
      salon: 'manager, stylist, receptionist',
    },
  },
  team_size: { label: 'Team size', type: 'number', example: '14' },
  manager_role: { label: 'Who decides', type: 'line', example: 'the store manager' },
  hourly_cost: { label: 'Cost of an hour', type: 'money', example: '$18.50' },
  hours_budget: { label: 'Hours you can spend', type: 'number', example: '210' },
  // Customers, never by name.
  customers: {
    label: 'Your customers',
    type: 'line',
    example: 'office workers at lunch, families on weekends',
    examples: {
      fitness: 'working adults before 8 a.m. and after 5 p.m.',
      'home-services': 'owners of single-family houses',
      automotive: 'commuters and two small fleets',
      salon: 'regulars who book every six weeks',
    },
  },
  customer_type: { label: 'Kind of customer', type: 'line', example: 'an office with 40 people' },
  customer_words: { label: 'The customer’s words', type: 'text', example: 'what was said, without names' },
  review_text: { label: 'Review', type: 'text', example: 'the public text, without names' },
  reviews: { label: 'Reviews', type: 'text', example: 'numbered, without names' },
  // What you sell.
  product: {
    label: 'Product or service',
    type: 'line',
    example: 'lunch combo',
    examples: {
      fitness: 'monthly membership',
      'home-services': 'gutter cleaning',
      automotive: 'oil change',
      salon: 'cut and color',
    },
  },
  products: { label: 'Products or services', type: 'list', example: 'the five you sell most' },
  price: {
    label: 'Price',
    type: 'money',
    example: '$12.50',
    examples: { fitness: '$89', 'home-services': '$240', automotive: '$79', salon: '$135' },
  },
  prices: { label: 'Prices', type: 'list', example: 'one line for each item' },
  unit_costs: { label: 'Unit costs', type: 'list', example: 'cost of each item, or none' },
  offer: { label: 'Offer', type: 'line', example: 'second coffee at half price, weekdays after 2 p.m.' },
  offer_terms: { label: 'Conditions of the offer', type: 'line', example: 'one per visit, until June 30' },
  quote: { label: 'Quote', type: 'text', example: 'service, amount, date sent, valid until' },
  vendor_quotes: { label: 'Vendor quotes', type: 'text', example: 'paste two or three, without signatures' },
  // Figures and times.
  sales_figures: { label: 'Sales figures', type: 'text', example: 'totals by day or hour, no customer records' },
  labor_hours: { label: 'Labor hours', type: 'text', example: 'hours by day and role, no names' },
  export: { label: 'Export', type: 'text', example: 'the rows you need, names and card data deleted' },
  headings: { label: 'Column headings', type: 'line', example: 'A Date, B Gross, C Refunds, D Net' },
  costs: { label: 'Costs', type: 'list', example: 'one cost per line' },
  capacity: { label: 'Most you can serve', type: 'line', example: '45 orders in those hours' },
  comparison: { label: 'Figures to compare with', type: 'text', example: 'the same weeks without the change' },
  pipeline: { label: 'Open deals', type: 'text', example: 'one deal per line, with a code for the customer' },
  budget: { label: 'Budget', type: 'money', example: '$600' },
  amount: { label: 'Amount', type: 'money', example: '$120' },
  number: { label: 'Number', type: 'number', example: '3' },
  percent: { label: 'Percent', type: 'line', example: '15%' },
  minutes: { label: 'Minutes', type: 'number', example: '10' },
  date: { label: 'Date', type: 'date', example: 'Mar 3, 2026' },
  dates: { label: 'Dates', type: 'line', example: 'Mar 3 to Mar 17, 2026' },
  start_date: { label: 'Start date', type: 'date', example: 'Mar 3, 2026' },
  end_date: { label: 'End date', type: 'date', example: 'Mar 17, 2026' },
  time: { label: 'Time', type: 'time', example: '9:00 p.m.' },
  times: { label: 'Times', type: 'line', example: '11:30 to 1:30' },
  month: { label: 'Month', type: 'line', example: 'March' },
  week: { label: 'Week', type: 'line', example: 'Mar 2 to 8' },
  quarter: { label: 'Quarter', type: 'line', example: 'October to December' },
  // What you bring.
  notes: { label: 'Notes', type: 'text', example: 'rough is fine; no names' },
  facts: { label: 'Facts', type: 'list', example: 'lines you would sign' },
  tasks: { label: 'Tasks', type: 'list', example: 'one task per line, with minutes' },
  checklist: { label: 'Checklist', type: 'list', example: 'numbered lines' },
  goal: { label: 'Goal', type: 'line', example: 'ten more weekday lunches' },
  topic: { label: 'Topic', type: 'line', example: 'opening a membership' },
  situation: { label: 'Situation', type: 'text', example: 'two or three lines' },
  problem: { label: 'Problem', type: 'line', example: 'the card reader drops out at noon' },
  limits: { label: 'Limits', type: 'text', example: 'what may not change' },
  changes: { label: 'What will be different', type: 'line', example: 'a holiday, an event, or nothing' },
  equipment: { label: 'Equipment', type: 'list', example: 'one machine per line' },
  channels: { label: 'Channels', type: 'line', example: 'email, counter card, social post' },
  platform: { label: 'Platform', type: 'line', example: 'where it will be posted' },
  partner: { label: 'Partner', type: 'line', example: 'the middle school on your street' },
  event: { label: 'Event', type: 'line', example: 'Saturday open house' },
  current_text: { label: 'Current text', type: 'text', example: 'paste what you use now' },
  transcript: { label: 'Transcript', type: 'text', example: 'names deleted' },
  format: { label: 'Format', type: 'line', example: 'one page' },
  choice: { label: 'Your choice', type: 'line', example: 'a few words' },
  details: { label: 'Details', type: 'text', example: 'what the prompt asks for' },
} as const satisfies Record<string, Variable>

export type VariableName = keyof typeof variables
