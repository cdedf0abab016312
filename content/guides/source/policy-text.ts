/** The text of the template "AI Use Policy", as blocks for the Word file and for the pictures of its pages. */

/** Texts may hold **bold** parts and {blanks to fill in}. */
export type Block =
  | { kind: 'title' | 'subtitle' | 'para' | 'bullet' | 'numbered' | 'label'; text: string }
  | { kind: 'heading'; text: string; pageBreak?: boolean }
  | { kind: 'tick'; text: string; checked?: boolean }
  /** Instructions that the reader deletes; the first line is bold. */
  | { kind: 'note'; lines: string[] }
  | { kind: 'table'; widths: number[]; header?: string[]; rows: string[][]; rowHeightTwips?: number }

const heading = (text: string, pageBreak = false): Block => ({ kind: 'heading', text, pageBreak })
const para = (text: string): Block => ({ kind: 'para', text })
const label = (text: string): Block => ({ kind: 'label', text })
const bullets = (...lines: string[]): Block[] => lines.map((text) => ({ kind: 'bullet', text }))
const numbered = (...lines: string[]): Block[] => lines.map((text) => ({ kind: 'numbered', text }))
const ticks = (...lines: string[]): Block[] => lines.map((text) => ({ kind: 'tick', text }))

/** The same words as in content/safety.yaml. */
export const neverGoesIn = [
  'Customers’ names, contact details, orders, bookings, photos or recordings.',
  'Employees’ names, pay, health, discipline, applications or résumés.',
  'Anything about a child.',
  'Injuries, illness and allergic reactions.',
  'Card and bank details, passwords, keys and alarm codes.',
  'Claims, lawyers’ letters and insurance cases.',
  'The franchisor’s confidential material: the operations manual, the agreement, unreleased campaigns, other locations’ figures. Exception: the franchisor agreed in writing.',
]

const policy: Block[] = [
  { kind: 'title', text: 'AI Use Policy' },
  { kind: 'subtitle', text: 'for {Business name}, {Location or locations}' },
  {
    kind: 'note',
    lines: [
      'How to use this template. Delete this part when you are done.',
      '1.  Click each shaded field in [brackets] and type. Tick what applies; delete what does not. Annex B is a filled example.',
      '2.  Read it next to your franchise agreement and brand standards. Where they say more, they win.',
      '3.  Have it checked by a person who knows employment and privacy law where you operate.',
      '4.  Go through it with the team (20 minutes), answer questions, then sign the last page.',
      '5.  Review it twice a year, and when a tool changes its terms. One location only? Delete annex A.',
    ],
  },
  {
    kind: 'table',
    widths: [22, 28, 20, 30],
    rows: [
      ['**Legal name**', '{Company that employs the team}', '**Franchise brand**', '{Brand}'],
      ['**Policy owner**', '{Role}', '**Reach them at**', '{Phone and email}'],
      ['**In force from**', '{Date}', '**Next review**', '{Date, within six months}'],
    ],
  },

  heading('1. What this is for, and whom it covers'),
  para(
    'We use AI tools to save time on routine writing and sorting. This policy says which tools, for what, and what stays out of them. It covers everyone who works for us at the locations above: owners, managers, employees, temporary staff and contractors, on business and private devices, when the work is ours.',
  ),
  para(
    '“AI tool” means software that writes, pictures, speaks, sorts or recommends from what a person gives it. That includes AI functions inside software we already have.',
  ),

  heading('2. Approved tools'),
  para(
    'Only the tools in this table are used for work, each only for what is written next to it, and only with a business account. AI functions in other software, such as the register or the scheduling app, stay off until they are listed here.',
  ),
  {
    kind: 'table',
    widths: [24, 26, 30, 20],
    header: ['Tool and plan', 'Approved for', 'What its terms say about our data', 'Approved by, date'],
    rows: [
      ['{Tool}', '{Tasks}', '{Training, storage, access}', '{Role, date}'],
      ['{Tool}', '{Tasks}', '{Training, storage, access}', '{Role, date}'],
      ['{Tool}', '{Tasks}', '{Training, storage, access}', '{Role, date}'],
    ],
  },
  para(
    'The policy owner approves a new tool in writing after checking five things: the franchisor’s rules, the data terms, who can read what we type, how we delete it, and how we cancel.',
  ),

  heading('3. What never goes in, and what may'),
  para('**Never goes in:**'),
  ...numbered(...neverGoesIn),
  {
    kind: 'table',
    widths: [50, 50],
    header: ['May go in', 'Ask the policy owner first'],
    rows: [
      [
        'Published hours, menu, services and prices\nOur own notes without names; what is promised or due and when, if nothing points to the customer\nGreen and amber reviews without names (section 7)\nProcedures we wrote ourselves\nIf the franchisor allows the tool: business-wide totals without names, such as sales by day and hours by role',
        'Supplier prices, contracts, our lease\nPhotos without people\nParts of manuals, bulletins and brand guides that the franchisor lets us share with this tool\nCodes or roles that still point to customers or employees, such as open deals or meeting notes: only with a data agreement\n{Other}',
      ],
    ],
  },
  para(
    'Taking out a name is not enough if the rest still points to one person. If you are unsure about a line, leave it out.',
  ),

  heading('4. What we use AI for'),
  ...ticks(
    'Handover notes with five headings: Do first, Short or out of stock, Broken or odd, Promised to customers, Cash and keys',
    'First drafts of replies to green and amber reviews, as agreed with the franchisor',
    'First drafts of local posts, signs and offers from approved wording and pictures',
    'Templates for following up on quotes on days 2, 7 and 14; a person sends each message',
    'Coverage by role and hour (“two cashiers 11–2”); a manager puts names in, outside the tool',
    'Text of job ads and interview questions, never the choice of applicants',
    'Checklists, training outlines and blank forms, from procedures we may share',
    'Sorting totals, fee statements and reviews without names; formulas that we test on a few rows',
    'Drafts of letters to suppliers, the landlord and the franchisor',
    '{Other task}',
  ),

  heading('5. What we do not use AI for'),
  ...bullets(
    'Ranking, scoring, scheduling, hiring, disciplining or firing a person',
    'Describing an incident: an injury, an illness, an allergic reaction or a dispute',
    'The last word on allergens, food safety, health, law, tax or the safety of equipment. It may find the page or list questions; a person who knows decides.',
    'Watching or analyzing staff or customers by camera, voice or private messages',
    'Writing reviews or testimonials, or posing as a customer or another person',
    'Pictures, voices or videos of real people, or of products that look different from what we sell',
    'Anything that sends, posts, orders, pays or changes a price without a person approving it each time',
    '{Other}',
  ),

  heading('6. A person answers for every result'),
  para('The person who uses a result is responsible for it as if they had written it. Before use, check that:'),
  ...bullets(
    'every name, number, date and price agrees with its source;',
    'nothing was added that we did not put in, and nothing that matters is missing;',
    'it contains no promise, refund, blame, or medical, legal or safety advice;',
    'it sounds like us, and brand names and offers are written correctly.',
  ),
  para('A second person checks what a customer, an applicant or an authority will read: {Role of the second reader}.'),

  heading('7. Customers and reviews'),
  ...bullets(
    'No one is led to believe that they are talking to a person when they are not. A chat or phone assistant is used only if it is listed in section 2; it says what it is at the start and offers a person.',
    'Calls and conversations are recorded or transcribed by AI only if section 2 lists it, with the notice and consent that the law requires.',
    'A person reads each review first. **Red** reviews are pasted nowhere and go to {Role and phone} at once: illness, allergy, a foreign object, pests; injury, damage, unsafe equipment; discrimination, harassment, a child’s safety; theft, violence, police, a threat; an accusation against an employee who is named or can be identified; card fraud, a data leak, personal details; a lawyer, a regulator, a journalist, extortion; working conditions.',
    'A reply does not admit fault, offer money, promise, blame, or confirm that the writer was a customer. A person posts it.',
    '“Stop” is honored the same day on every list.',
  ),

  heading('8. The brand and the franchisor'),
  para(
    'Names, logos, offers and pictures follow the brand standards. Text that customers read goes to the franchisor before it runs, where the agreement asks for it. The franchisor was informed of this policy on {Date}, contact {Role}; conditions: {None, or list them}.',
  ),

  heading('9. When something goes wrong'),
  ...numbered(
    'Stop. Type nothing more and delete nothing yet.',
    'Write down the tool, the time, and what went in or came out.',
    'Tell {Role and phone} within the hour.',
    'The policy owner decides about deletion and about informing the vendor, the franchisor, the insurer, the people concerned and authorities. Some of these have legal deadlines.',
    'The incident goes on our log, with what we changed. The log names roles.',
  ),
  para('No one is punished for reporting in good faith.'),

  heading('10. Rights and duties'),
  para(
    'Nothing in this policy limits anyone’s right to discuss pay, hours and working conditions, to act together with co-workers, to report concerns to an authority, or any other right under the law. Knowingly breaking the rules may have consequences under our usual procedures. We keep the lists of approvals and incidents for {Period}.',
  ),

  heading('11. Versions'),
  {
    kind: 'table',
    widths: [12, 18, 45, 25],
    header: ['Version', 'Date', 'What changed', 'Approved by'],
    rows: [
      ['1.0', '{Date}', 'First version', '{Role}'],
      ['{No.}', '{Date}', '{Change}', '{Role}'],
    ],
  },
]

const annexA: Block[] = [
  heading('Annex A. More than one location', true),
  para('This policy holds at every location in the table. A location may add rules of its own. It may not remove any.'),
  {
    kind: 'table',
    widths: [20, 20, 20, 22, 18],
    header: [
      'Location and company',
      'Local lead (role)',
      'Tools used here',
      'State and city rules checked by, date',
      'In force here from',
    ],
    rows: [
      ['{Location 1}', '{Role}', '{Tools}', '{Role, date}', '{Date}'],
      ['{Location 2}', '{Role}', '{Tools}', '{Role, date}', '{Date}'],
      ['{Location 3}', '{Role}', '{Tools}', '{Role, date}', '{Date}'],
    ],
  },
  ...bullets(
    '**Accounts.** One business account for all locations, with one user for each person. No shared passwords. A person who leaves or moves loses access the same day: {Role} removes it.',
    '**Approval.** The policy owner approves a tool once. Each location starts it only after its local lead has gone through section 3 with the team there.',
    '**Prompts.** Saved prompts are shared. A location may change the wording only after running its own five test cases.',
    '**Figures.** Totals of our own locations may be compared, as location A, B and C, if the franchisor allows the tool. Figures of other owners’ locations never go in.',
    '**Different places, different rules.** Rules on scheduling, privacy and recording differ by state and city. Each location follows the rules of its own place, and starts only after the check in the table. Before one house rule is used everywhere, it is checked against the rules of each place.',
    '**Different companies.** If two locations belong to two companies, each company signs this policy and has its own account.',
    '**Incidents.** One log for all, with a column for the location. Each lead tells the others within {number} days what was learned.',
    '**Once a quarter.** The leads compare: tools in use, people with access, incidents, what the franchisor changed. {Role} keeps the notes.',
  ),
]

const annexB: Block[] = [
  heading('Annex B. A filled example'),
  {
    kind: 'note',
    lines: [
      'Invented, to show how detailed the fields should be. Delete this annex from your policy.',
      'Three sandwich shops of one owner. Roles instead of names, so that the policy survives a change of staff.',
    ],
  },
  {
    kind: 'table',
    widths: [22, 28, 20, 30],
    rows: [
      ['**Legal name**', 'Example company LLC', '**Franchise brand**', 'the brand on the sign'],
      ['**Policy owner**', 'Owner', '**Reach them at**', 'Office phone; office mailbox'],
      ['**In force from**', 'December 1, 2026', '**Next review**', 'May 31, 2027'],
    ],
  },
  label('Section 2, approved tools'),
  {
    kind: 'table',
    widths: [24, 26, 30, 20],
    header: ['Tool and plan', 'Approved for', 'What its terms say about our data', 'Approved by, date'],
    rows: [
      [
        'General assistant, business plan, 4 users',
        'Handover notes; replies to green and amber reviews; job ads; coverage by role',
        'Not used for training; deleted chats are kept 30 days; administrator can read chats. Terms saved on Nov 20, 2026.',
        'Owner, Nov 20, 2026',
      ],
      [
        'Design tool, team plan, 3 users',
        'Signs and posts from approved templates',
        'AI training switched off in the settings; checked again on each review date',
        'Owner, Nov 20, 2026',
      ],
      [
        'Assistant in the register software',
        'Not approved: stays off',
        'Terms on training are unclear; vendor asked on Nov 18',
        'Owner, Nov 20, 2026',
      ],
    ],
  },
  label('Section 4, ticked'),
  { kind: 'tick', text: 'Handover notes with five headings', checked: true },
  { kind: 'tick', text: 'First drafts of replies to green and amber reviews', checked: true },
  { kind: 'tick', text: 'Coverage by role and hour, without names', checked: true },
  { kind: 'tick', text: 'Templates for following up on quotes (we give no quotes)' },
  label('Fields in sections 6 to 9'),
  {
    kind: 'table',
    widths: [32, 68],
    rows: [
      ['**Second reader**', 'General manager; on Sundays the shift lead who did not write the draft'],
      ['**Red reviews go to**', 'Owner, cell phone, any day until 10 p.m.; then at 7 a.m.'],
      [
        '**Franchisor**',
        'Informed on November 12, 2026, field consultant. Conditions: no manual pages; signs and posts go to the brand portal five business days before they run.',
      ],
      ['**Tell within the hour**', 'Shift lead on duty, then the owner'],
      ['**We keep lists for**', 'Three years'],
    ],
  },
  label('Annex A, filled'),
  {
    kind: 'table',
    widths: [20, 20, 20, 22, 18],
    header: [
      'Location and company',
      'Local lead (role)',
      'Tools used here',
      'State and city rules checked by, date',
      'In force here from',
    ],
    rows: [
      ['A, Example company LLC', 'General manager', 'Assistant, design tool', 'Payroll provider, Nov 18', 'December 1'],
      ['B, same company', 'Shift lead, mornings', 'Assistant', 'Payroll provider, Nov 18', 'December 8'],
      ['C, same company, another state', 'General manager', 'None yet', 'Still open', 'After the check'],
    ],
  },
  label('One line of the incident log'),
  {
    kind: 'table',
    widths: [13, 13, 36, 38],
    header: ['Date, time', 'Location', 'What happened', 'What we did and changed'],
    rows: [
      [
        'Dec 9, 4:10 p.m.',
        'A',
        'A cashier pasted a catering request with a phone number into the assistant.',
        'Stopped, told the shift lead at 4:20. Owner read the terms and asked the field consultant, then deleted the chat. The card now hangs next to the screen.',
      ],
    ],
  },
]

const signatures: Block[] = [
  heading('Signatures', true),
  para(
    'I have read this policy, could ask questions about it, and know whom to ask. I will follow it when I use AI tools for work at {Business name}.',
  ),
  {
    kind: 'table',
    widths: [36, 42, 22],
    header: ['Name in print', 'Signature', 'Date'],
    rows: Array.from({ length: 12 }, () => ['', '', '']),
    rowHeightTwips: 560,
  },
  label('For the business'),
  { kind: 'table', widths: [36, 42, 22], rows: [['{Owner or policy owner}', '', '{Date}']], rowHeightTwips: 480 },
]

export const policyBlocks: Block[] = [...policy, ...annexA, ...annexB, ...signatures]
