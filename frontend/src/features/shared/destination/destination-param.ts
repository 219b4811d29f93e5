/** The parameter of addresses that names the shipping node to which goods go. */
export const DESTINATION_PARAM = 'to'
