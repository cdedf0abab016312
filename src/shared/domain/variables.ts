/**
 * - `line`: a few words. `text`: several lines, such as pasted notes. `list`: one item per line.
 * - `number`, `money`, `date` and `time` as the reader writes them.
 */
export type VariableType = 'line' | 'text' | 'list' | 'number' | 'money' | 'date' | 'time'

export type Variable = {
  label: string
  type: VariableType
}

/** Blanks in prompts, written `[store_name]`, or `[notes: what happened tonight]` with a hint for one prompt. */
export const variables = {
  // The business, the same in most prompts.
  store_name: { label: 'Store name', type: 'line' },
  brand: { label: 'Brand', type: 'line' },
  business_type: { label: 'Type of business', type: 'line' },
  city: { label: 'City', type: 'line' },
  state: { label: 'State', type: 'line' },
  area: { label: 'Area you serve', type: 'line' },
  territory: { label: 'Franchise territory', type: 'line' },
  opening_hours: { label: 'Opening hours', type: 'line' },
  location_count: { label: 'Number of locations', type: 'number' },
  tone_of_voice: { label: 'Tone of voice', type: 'line' },
  voice_sheet: { label: 'Voice sheet', type: 'text' },
  owner_first_name: { label: 'Owner’s first name', type: 'line' },
  contact_line: { label: 'Contact line', type: 'line' },
  website: { label: 'Website', type: 'line' },
  pos_system: { label: 'POS system', type: 'line' },
  booking_system: { label: 'Booking system', type: 'line' },
  scheduling_tool: { label: 'Scheduling tool', type: 'line' },
  crm: { label: 'Customer system', type: 'line' },
  ai_tool: { label: 'AI tool', type: 'line' },
  /** Never a blank: what the check before copying looks for. */
  private_words: { label: 'Words to replace before copying', type: 'list' },
  // The franchisor.
  franchisor_contact: { label: 'Franchisor contact', type: 'line' },
  franchisor_rules: { label: 'Franchisor’s rules', type: 'text' },
  brand_rules: { label: 'Brand rules', type: 'text' },
  agreement_section: { label: 'Section of the agreement', type: 'line' },
  royalty_rate: { label: 'Royalty rate', type: 'line' },
  ad_fund_rate: { label: 'Ad fund rate', type: 'line' },
  royalty_base: { label: 'Royalty base', type: 'line' },
  gross_sales: { label: 'Gross sales', type: 'money' },
  audit_form: { label: 'Audit form', type: 'text' },
  audit_score: { label: 'Audit score', type: 'line' },
  franchisor_message: { label: 'Message from the franchisor', type: 'text' },
  // People, by role.
  role: { label: 'Role', type: 'line' },
  roles: { label: 'Roles', type: 'list' },
  team_size: { label: 'Team size', type: 'number' },
  manager_role: { label: 'Who decides', type: 'line' },
  hourly_cost: { label: 'Cost of an hour', type: 'money' },
  hours_budget: { label: 'Hours you can spend', type: 'number' },
  // Customers, never by name.
  customers: { label: 'Your customers', type: 'line' },
  customer_type: { label: 'Kind of customer', type: 'line' },
  customer_words: { label: 'The customer’s words', type: 'text' },
  review_text: { label: 'Review', type: 'text' },
  reviews: { label: 'Reviews', type: 'text' },
  // Products.
  product: { label: 'Product or service', type: 'line' },
  products: { label: 'Products or services', type: 'list' },
  price: { label: 'Price', type: 'money' },
  prices: { label: 'Prices', type: 'list' },
  unit_costs: { label: 'Unit costs', type: 'list' },
  offer: { label: 'Offer', type: 'line' },
  offer_terms: { label: 'Conditions of the offer', type: 'line' },
  quote: { label: 'Quote', type: 'text' },
  vendor_quotes: { label: 'Vendor quotes', type: 'text' },
  // Figures and times.
  sales_figures: { label: 'Sales figures', type: 'text' },
  labor_hours: { label: 'Labor hours', type: 'text' },
  export: { label: 'Export', type: 'text' },
  headings: { label: 'Column headings', type: 'line' },
  costs: { label: 'Costs', type: 'list' },
  capacity: { label: 'Most you can serve', type: 'line' },
  comparison: { label: 'Figures to compare with', type: 'text' },
  pipeline: { label: 'Open deals', type: 'text' },
  budget: { label: 'Budget', type: 'money' },
  amount: { label: 'Amount', type: 'money' },
  number: { label: 'Number', type: 'number' },
  percent: { label: 'Percent', type: 'line' },
  minutes: { label: 'Minutes', type: 'number' },
  date: { label: 'Date', type: 'date' },
  dates: { label: 'Dates', type: 'line' },
  start_date: { label: 'Start date', type: 'date' },
  end_date: { label: 'End date', type: 'date' },
  time: { label: 'Time', type: 'time' },
  times: { label: 'Times', type: 'line' },
  month: { label: 'Month', type: 'line' },
  week: { label: 'Week', type: 'line' },
  quarter: { label: 'Quarter', type: 'line' },
  // Belongings.
  notes: { label: 'Notes', type: 'text' },
  facts: { label: 'Facts', type: 'list' },
  tasks: { label: 'Tasks', type: 'list' },
  checklist: { label: 'Checklist', type: 'list' },
  goal: { label: 'Goal', type: 'line' },
  topic: { label: 'Topic', type: 'line' },
  situation: { label: 'Situation', type: 'text' },
  problem: { label: 'Problem', type: 'line' },
  limits: { label: 'Limits', type: 'text' },
  changes: { label: 'What will be different', type: 'line' },
  equipment: { label: 'Equipment', type: 'list' },
  channels: { label: 'Channels', type: 'line' },
  platform: { label: 'Platform', type: 'line' },
  partner: { label: 'Partner', type: 'line' },
  event: { label: 'Event', type: 'line' },
  current_text: { label: 'Current text', type: 'text' },
  transcript: { label: 'Transcript', type: 'text' },
  format: { label: 'Format', type: 'line' },
  choice: { label: 'Your choice', type: 'line' },
  details: { label: 'Details', type: 'text' },
} as const satisfies Record<string, Variable>

export type VariableName = keyof typeof variables
