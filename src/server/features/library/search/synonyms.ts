/** Words that owners and our texts use for the same thing. A word finds the others of its groups, with less weight. */
const groups: readonly (readonly string[])[] = [
  ['employee', 'staff', 'team', 'crew', 'worker', 'people', 'associate'],
  ['hire', 'hiring', 'recruit', 'recruiting', 'applicant', 'application', 'candidate', 'resume'],
  ['job', 'position', 'opening', 'vacancy'],
  ['ad', 'advertisement', 'advert', 'posting'],
  ['advertising', 'marketing', 'promotion', 'promote', 'campaign', 'ads'],
  ['onboarding', 'training', 'train', 'orientation', 'teach'],
  ['interview', 'screening'],
  ['quit', 'turnover', 'leaving', 'retention', 'resign'],
  ['fire', 'terminate', 'dismiss', 'discipline'],
  ['schedule', 'roster', 'rota', 'shift', 'scheduling'],
  ['pay', 'wage', 'payroll', 'salary'],
  ['customer', 'guest', 'client', 'member', 'patron', 'shopper'],
  ['review', 'rating', 'feedback', 'star', 'stars', 'yelp', 'google'],
  ['reply', 'respond', 'answer', 'response'],
  ['complaint', 'complain', 'angry', 'upset', 'unhappy', 'bad', 'negative', 'difficult', 'nasty', 'rude'],
  ['refund', 'reimbursement', 'reimburse', 'credit'],
  ['franchisor', 'corporate', 'headquarters', 'brand', 'franchise'],
  ['royalty', 'royalties', 'fee', 'fees'],
  ['fdd', 'disclosure'],
  ['contract', 'agreement', 'terms'],
  ['renew', 'renewal', 'remodel', 'renovation'],
  ['inspection', 'audit', 'visit', 'inspector', 'inspect'],
  ['permission', 'approval', 'approve', 'allowed', 'ask'],
  ['rule', 'policy', 'law', 'legal', 'compliance'],
  ['privacy', 'confidential', 'personal', 'data', 'private', 'sensitive'],
  ['cost', 'expense', 'price', 'spend', 'cheap', 'expensive'],
  ['profit', 'margin', 'pl', 'earnings', 'p'],
  ['bookkeeping', 'accounting', 'books', 'finance', 'accountant', 'statement'],
  ['sales', 'revenue', 'income', 'sell'],
  ['invoice', 'bill', 'billing', 'receipt'],
  ['estimate', 'quote', 'bid', 'proposal'],
  ['lead', 'prospect', 'inquiry'],
  ['delivery', 'doordash', 'ubereats', 'grubhub', 'takeout', 'app'],
  ['inventory', 'stock', 'order', 'supplies', 'supplier', 'vendor'],
  ['waste', 'spoilage', 'shrink'],
  ['close', 'closing', 'night'],
  ['open', 'opening', 'morning', 'opener'],
  ['handover', 'handoff', 'notes', 'log'],
  ['checklist', 'list', 'sop', 'procedure', 'steps'],
  ['meeting', 'huddle', 'agenda', 'briefing'],
  ['email', 'message', 'newsletter', 'letter', 'text', 'sms'],
  ['social', 'facebook', 'instagram', 'tiktok', 'post', 'linkedin'],
  ['website', 'web', 'site', 'online', 'internet'],
  ['picture', 'photo', 'photograph', 'image', 'graphic', 'design', 'flyer', 'poster', 'sign', 'logo'],
  ['spreadsheet', 'excel', 'sheet', 'table'],
  ['prompt', 'prompts', 'chatgpt', 'ai', 'assistant', 'chatbot', 'gpt', 'bot'],
  ['automate', 'automation', 'automatic', 'zapier', 'workflow', 'connect'],
  ['book', 'booking', 'appointment', 'reservation'],
  ['noshow', 'missed', 'absent', 'cancellation', 'cancel'],
  ['phone', 'call', 'voicemail', 'telephone'],
  ['broken', 'repair', 'fix', 'maintenance', 'equipment', 'machine'],
  ['clean', 'cleaning', 'hygiene', 'sanitize', 'disinfect'],
  ['safety', 'accident', 'injury', 'incident', 'hurt'],
  ['theft', 'steal', 'fraud', 'missing', 'cash', 'till', 'drawer', 'register'],
  ['tax', 'taxes', 'irs', 'cpa'],
  ['loan', 'bank', 'lender', 'financing'],
  ['landlord', 'lease', 'rent', 'tenant', 'renewal'],
  ['paste', 'upload', 'type', 'enter', 'put', 'share', 'goes'],
  ['safe', 'allowed', 'never', 'forbidden', 'ok', 'okay'],
  ['kid', 'child', 'children', 'minor', 'teenager', 'teen', '18'],
  ['health', 'medical', 'illness', 'injury', 'allergy'],
  ['lawyer', 'lawsuit'],
  ['one', '1'],
  ['two', '2'],
  ['three', '3'],
  ['four', '4'],
  ['five', '5'],
  ['holiday', 'seasonal', 'christmas', 'thanksgiving', 'season', 'temporary'],
  ['loyalty', 'repeat', 'regulars', 'return', 'winback', 'lapsed'],
  ['event', 'sponsor', 'sponsorship', 'fundraiser', 'community', 'school'],
  ['catering', 'corporate', 'group', 'bulk'],
  ['manual', 'handbook', 'guide', 'playbook', 'instructions'],
  ['translate', 'translation', 'spanish', 'language', 'bilingual'],
  ['overtime', 'hours', 'labor', 'clock', 'timesheet', 'paid'],
  ['goal', 'plan', 'planning', 'budget', 'target', 'forecast'],
  ['save', 'faster', 'shorten', 'reduce', 'quick', 'less'],
  ['start', 'begin', 'first', 'beginner', 'started'],
  ['compare', 'comparison', 'versus', 'vs', 'best', 'which', 'choose', 'pick'],
  ['wrong', 'mistake', 'error', 'check', 'verify', 'trust', 'accurate', 'hallucination'],
  ['member', 'membership', 'gym', 'fitness', 'studio'],
  ['car', 'vehicle', 'auto', 'oil', 'mechanic', 'automotive'],
  ['hair', 'salon', 'spa', 'stylist', 'barber'],
  ['plumbing', 'hvac', 'roofing', 'lawn', 'contractor', 'technician', 'home'],
  ['restaurant', 'food', 'kitchen', 'cafe', 'pizza', 'burger', 'menu'],
]

const groupsOf = new Map<string, string[]>()
for (const group of groups) {
  for (const word of group) groupsOf.set(word, [...(groupsOf.get(word) ?? []), ...group])
}

/** Base forms that a word may have. */
const baseForms = (word: string): string[] => [
  word,
  word.replace(/ies$/, 'y'),
  word.replace(/(?:es|s)$/, ''),
  word.replace(/s$/, ''),
  word.replace(/(?:ing|ed)$/, ''),
  word.replace(/(?:ing|ed)$/, 'e'),
  word.replace(/(.)\1(?:ing|ed)$/, '$1'),
]

/** Other words for a word, in any of its forms. */
export function synonymsOf(word: string): string[] {
  const known = baseForms(word).find((form) => groupsOf.has(form))
  return known ? [...new Set(groupsOf.get(known))].filter((other) => other !== known && other !== word) : []
}

/** Expressions of owners, and the words that our texts have for them. All words of an expression have to be asked for. */
const expressions: readonly (readonly [asked: string, words: string])[] = [
  ['angry customer', 'reply difficult review'],
  ['upset customer', 'reply difficult review'],
  ['unhappy customer', 'reply difficult review'],
  ['rude customer', 'reply difficult review'],
  ...['1', 'one', '2', 'two'].map((count) => [`${count} star`, 'reply difficult review'] as const),
  ...['safe', 'paste', 'upload'].map((word) => [word, 'never goes'] as const),
  ...['put', 'share', 'type', 'enter'].flatMap((word) =>
    ['ai', 'chatgpt'].map((tool) => [`${word} ${tool}`, 'never goes'] as const),
  ),
  ['lawyer', 'attorney'],
  ['food cost', 'waste log'],
  ['food costs', 'waste log'],
]

/** Words that the expressions of a query stand for. */
export const relatedWords = (words: readonly string[]): string[] => [
  ...new Set(
    expressions.flatMap(([asked, related]) =>
      asked.split(' ').every((word) => words.includes(word) || words.includes(`${word}s`)) ? related.split(' ') : [],
    ),
  ),
]
