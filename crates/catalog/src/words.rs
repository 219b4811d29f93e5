//! Words of the catalog within messages. Their texts are in `texts/words.de.json` and
//! `texts/words.en.json`.

values::words! {
    MATERIAL "material"
    TRADE_DIMENSION "trade_dimension"
    AN_OPTION "an_option"
    A_NUMBER "a_number"
    A_TEXT "a_text"
    LENGTH "length"
    WIDTH "width"
    HEIGHT "height"
    THICKNESS "thickness"
    WEB_THICKNESS "web_thickness"
    FLANGE_THICKNESS "flange_thickness"
    RADIUS "radius"
    DIAMETER "diameter"
    SIDE "side"
    ACROSS_FLATS "across_flats"
    FORMAT "format"
    PIECE_AREA "piece_area"
    PIECE_WEIGHT "piece_weight"
}
