/** Query parameter with the shipping node that goods are sent to. */
export const DESTINATION_PARAM = 'to'
