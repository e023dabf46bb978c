//! `argos serve`: the explorer in a browser, clicked and typed at as a person does it, and the server
//! behind it with requests that no browser makes.

mod serve {
    mod explore;
    mod foreign;
    mod hostile;
    mod requests;
    mod served;
}
