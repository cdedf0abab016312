export * from './auth.ts'
export * from './billing.ts'
export * from './content.ts'
export * from './members.ts'
