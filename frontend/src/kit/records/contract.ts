import type { offers, paths } from '~/api/schema'

/** What the contract says of the lists under `/api/admin`, as types. */
export type ListPath = keyof typeof offers
export type Offer = (typeof offers)[ListPath][number]

export type Query<P extends ListPath> = NonNullable<paths[P]['get']['parameters']['query']>

type At<Path extends string> = Path extends keyof paths ? paths[Path] : never
type Operation<Path extends string, Method extends string> = At<Path> extends { [M in Method]: infer Op } ? Op : never
type Json<T> = T extends { content: { 'application/json': infer Body } } ? Body : never
type Responses<Op> = Op extends { responses: infer All } ? All : never
type Answer<Op> = Json<Responses<Op>[Extract<keyof Responses<Op>, 200 | 201>]>
type Sent<Op> = Op extends { requestBody: infer Body } ? Json<Body> : never

/** What a call answers. */
export type AnswerOf<Path extends string, Method extends string> = Answer<Operation<Path, Method>>
/** What a call sends. */
export type SentBy<Path extends string, Method extends string> = Sent<Operation<Path, Method>>

/** A page of a list. */
export type PageOf<P extends ListPath> = AnswerOf<P, 'get'>
/** A record as its list shows it. */
export type ListedOf<P extends ListPath> = PageOf<P> extends { data: (infer Row)[] } ? Row : never
/** A record as its form shows it. */
export type RecordOf<P extends ListPath> = AnswerOf<`${P}/{id}`, 'get'>
/** What a form sends: each field, without what the form does not ask for. */
export type BodyOf<P extends ListPath> = Required<Omit<SentBy<P, 'post'>, 'version' | 'change_articles' | 'release'>>

/** The lists of which the contract offers something. */
export type Offering<What extends Offer> = { [P in ListPath]: What extends (typeof offers)[P][number] ? P : never }[ListPath]
