/** Characters that make text read in another order than it is stored. Arabic and Hebrew need none of them. */
export const directionOverrides = /[\u202a-\u202e\u2066-\u2069]/g
